// What the page shows of a document of OpenAPI; nothing here knows of the page.

const VERBS = ["get", "post", "put", "patch", "delete"];
const LIMITS = {
  minLength: "at least {} characters", maxLength: "at most {} characters", minItems: "at least {} items", maxItems: "at most {} items",
  minimum: "{} or more", maximum: "{} or less", maxProperties: "at most {} keys", pattern: "matches {}", default: "default {}",
};

/** The schema, parameter or answer that a reference names; without a reference, itself. What stands beside a reference stays. */
export function resolve(document, item) {
  if (!item?.$ref) return item ?? {};
  const named = item.$ref.slice(2).split("/").reduce((at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  return { ...named, ...item, $ref: undefined };
}

/** The operations by tag, in the order of the document; those without one come last. */
export function byTag(document) {
  const tags = new Map((document.tags ?? []).map((tag) => [tag.name, { ...tag, operations: [] }]));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const verb of VERBS.filter((each) => item[each])) {
      const operation = { path, verb, ...item[verb] };
      operation.id = operation.operationId ?? `${verb}${path}`;
      operation.parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => resolve(document, each));
      const tag = operation.tags?.[0] ?? "Others";
      if (!tags.has(tag)) tags.set(tag, { name: tag, description: "", operations: [] });
      tags.get(tag).operations.push(operation);
    }
  }
  return [...tags.values()].filter((tag) => tag.operations.length);
}

/** Whether every word of a query is in what an operation is called and said of. */
export function matches(operation, query) {
  const { id, verb, path, summary, description, tags } = operation;
  const text = [id, verb, path, summary, description, ...(tags ?? [])].join(" ").toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The type of a schema in a few words, such as `list of Memory`. */
export function kindOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.type === "array") return `list of ${kindOf(schema.items ?? {})}`;
  if (schema.additionalProperties?.type || schema.additionalProperties?.$ref) return `map of ${kindOf(schema.additionalProperties)}`;
  const type = [schema.type ?? "any"].flat().join(" or ");
  return schema.format ?? (schema.contentEncoding ? `${type}, ${schema.contentEncoding}` : type);
}

/** The limits of a schema, and of its items, in words. */
export function limitsOf(schema) {
  const own = Object.entries(LIMITS).filter(([key]) => schema[key] !== undefined);
  const said = own.map(([key, words]) => words.replace("{}", String(schema[key])));
  return schema.items && !schema.items.$ref ? [...said, ...limitsOf(schema.items).map((words) => `each ${words}`)] : said;
}

/** A call of an operation on the command line of a POSIX shell. */
export function curlLine(document, operation, base) {
  const examples = operation.parameters.filter((each) => each.example !== undefined);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const found = examples.find((each) => each.in === "path" && each.name === name);
    return found ? encodeURIComponent(found.example) : whole;
  });
  const query = examples.filter((each) => each.in === "query").flatMap((each) =>
    [each.example].flat().map((value) => `${each.name}=${encodeURIComponent(value)}`));
  const answer = resolve(document, operation.responses?.["200"]);
  const isStream = Boolean(answer.content?.["text/event-stream"]);
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isPublic = operation.security?.length === 0;
  return [
    isStream ? "curl -N" : "curl",
    operation.verb === "get" || (operation.verb === "post" && body) ? "" : `-X ${operation.verb.toUpperCase()}`,
    isPublic ? "" : '-H "authorization: Bearer $CAMILLO_KEY"',
    isStream ? "-H 'accept: text/event-stream'" : "",
    body && type !== "application/json" ? `-H 'content-type: ${type}' --data-binary @FILE` : "",
    body && type === "application/json" ? `-H 'content-type: ${type}' -d ${quoted(JSON.stringify(body.example ?? {}))}` : "",
    quoted(base.replace(/\/$/, "") + path + (query.length ? `?${query.join("&")}` : "")),
  ].filter(Boolean).join(" ");
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

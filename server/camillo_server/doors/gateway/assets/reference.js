// Shows openapi.json. Operations and the fields within others are built when they are opened.

import { byTag, curlLine, kindOf, limitsOf, matches, resolve } from "./operations.js";

const main = document.getElementById("methods");
const search = document.getElementById("search");
const base = new URL(".", document.baseURI).href;

/** An element. Texts of the document are never markup. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Paragraphs and lists; what is between backquotes is code. */
function prose(text) {
  const blocks = [];
  for (const paragraph of (text ?? "").split("\n\n")) {
    const [first, ...items] = paragraph.split(/^- /m);
    if (first.trim()) blocks.push(element("p", {}, ...phrases(first)));
    if (items.length) blocks.push(element("ul", {}, ...items.map((item) => element("li", {}, ...phrases(item)))));
  }
  return blocks;
}

function phrases(text) {
  return text.trim().split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));
}

function whenOpened(details, build) {
  details.addEventListener("toggle", () => details.open && details.append(...build()), { once: true });
  return details;
}

function field(openapi, name, schema, { required, where, description }) {
  const item = element("li", {}, element("code", { class: "name" }, name), " ", element("span", { class: "kind" }, kindOf(schema)));
  if (where) item.append(element("span", { class: "kind" }, `, in the ${where}`));
  if (required) item.append(" ", element("span", { class: "required" }, "required"));
  if (schema.deprecated) item.append(" ", element("span", { class: "required" }, "deprecated"));
  const limits = limitsOf(schema);
  if (limits.length) item.append(element("p", { class: "limits" }, limits.join("; ")));
  item.append(...prose(description ?? schema.description));
  const inner = [schema, schema.items, schema.additionalProperties].find((each) => each?.$ref || each?.properties);
  if (inner) {
    const within = element("details", { class: "within" }, element("summary", {}, `Fields of ${name}`));
    item.append(whenOpened(within, () => schemaBlocks(openapi, inner)));
  }
  return item;
}

function schemaBlocks(openapi, reference) {
  const schema = resolve(openapi, reference);
  const named = reference.$ref ? resolve(openapi, { $ref: reference.$ref }) : schema;
  const required = new Set([...(named.required ?? []), ...(schema.required ?? [])]);
  const items = Object.entries(schema.properties ?? {}).map(([name, each]) => field(openapi, name, each, { required: required.has(name) }));
  return [...prose(named.description), items.length ? element("ul", { class: "fields" }, ...items) : ""];
}

function copyable(line) {
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  const said = element("span", { role: "status" });
  const code = element("pre", { tabindex: "0" }, element("code", {}, line));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line);
      said.textContent = " Copied.";
    } catch {
      // Browsers have a clipboard for pages of https and of this machine alone.
      getSelection().selectAllChildren(code);
      said.textContent = " Selected: copy it with the keyboard.";
    }
  });
  return [code, button, said];
}

function answers(openapi, operation) {
  return Object.entries(operation.responses).map(([status, reference]) => {
    const answer = resolve(openapi, reference);
    const [types, schema] = [Object.keys(answer.content ?? {}), Object.values(answer.content ?? {})[0]?.schema];
    const item = element("li", {}, element("code", { class: "name" }, status), " ", element("span", { class: "kind" }, types.join(", ")));
    const within = element("details", { class: "within" }, element("summary", {}, `What ${status} means`));
    item.append(whenOpened(within, () => [...prose(answer.description), ...(schema ? schemaBlocks(openapi, schema) : [])]));
    return item;
  });
}

function content(openapi, operation) {
  const made = element("div", { class: "content" }, ...prose(operation.description));
  const title = (text) => element("h4", {}, text);
  made.append(title("Call"), ...copyable(curlLine(openapi, operation, base)));
  if (operation.parameters.length) {
    const items = operation.parameters.map((each) =>
      field(openapi, each.name, each.schema ?? {}, { required: each.required, where: each.in, description: each.description }));
    made.append(title("Parameters"), element("ul", { class: "fields" }, ...items));
  }
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (body) made.append(title(`Body (${type})`), ...schemaBlocks(openapi, body.schema ?? {}));
  made.append(title("Answers"), element("ul", { class: "fields" }, ...answers(openapi, operation)));
  return made;
}

function operationBlock(openapi, operation) {
  const heading = element("h3", {}, element("span", { class: `verb ${operation.verb}` }, operation.verb.toUpperCase()),
    element("span", {}, element("span", { class: "name" }, operation.id), " ", element("span", { class: "path" }, operation.path)));
  const details = element("details", { class: "operation", id: operation.id },
    element("summary", {}, heading, element("span", { class: "summary" }, operation.summary ?? "")));
  return whenOpened(details, () => [content(openapi, operation)]);
}

/** Both the index and the methods: what a search hides is hidden in both. */
function show(openapi) {
  const shown = [];
  const index = document.getElementById("index");
  for (const tag of byTag(openapi)) {
    const list = element("ul", {});
    const section = element("section", { "aria-label": tag.name }, element("h2", {}, tag.name), ...prose(tag.description));
    const heading = element("h2", {}, tag.name);
    for (const operation of tag.operations) {
      const entry = element("li", {}, element("a", { href: `#${operation.id}` }, operation.id));
      const block = operationBlock(openapi, operation);
      list.append(entry);
      section.append(block);
      shown.push({ operation, parts: [entry, block], groups: [heading, section] });
    }
    index.append(heading, list);
    main.append(section);
  }
  search.addEventListener("input", () => filter(shown));
  addEventListener("hashchange", openNamed);
  filter(shown);
  openNamed();
}

function filter(shown) {
  const query = search.value.trim();
  const found = shown.filter(({ operation }) => matches(operation, query));
  const visible = new Set(found.flatMap(({ parts, groups }) => [...parts, ...groups]));
  for (const each of shown.flatMap(({ parts, groups }) => [...parts, ...groups])) each.hidden = !visible.has(each);
  document.getElementById("found").textContent = query ? `${found.length} of ${shown.length} methods` : `${shown.length} methods`;
}

function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named?.tagName !== "DETAILS") return;
  named.open = true;
  named.scrollIntoView();
  named.querySelector("summary").focus({ preventScroll: true });
}

try {
  const answer = await fetch("openapi.json");
  if (!answer.ok) throw new Error(`it answers with ${answer.status}`);
  const openapi = await answer.json();
  document.getElementById("loading").remove();
  document.getElementById("version").textContent = openapi.info.version;
  main.append(...prose(openapi.info.description));
  show(openapi);
} catch (error) {
  document.getElementById("loading").textContent = `openapi.json cannot be read: ${error.message}`;
}

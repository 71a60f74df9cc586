import {
  clone,
  create,
  type DescMessage,
  isMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";

/** A message seen as its fields by name, as the core sees every request and answer. */
export type Fields = Record<string, unknown>;

/** The fields of a message, to be read and set. */
export function fieldsOf(message: Message): Fields {
  return message as unknown as Fields;
}

/** A message of the caller's values that is not the caller's own: it may be changed. */
export function copied<Desc extends DescMessage>(
  desc: Desc,
  init: MessageInitShape<Desc>,
): MessageShape<Desc> {
  return isMessage(init, desc) ? clone(desc, init) : create(desc, init);
}

/** Whether a message has a text of this name. One of a oneof is no such field: to set it would unset another. */
export function hasText(desc: DescMessage, name: string): boolean {
  const field = desc.field[name];
  return (
    field?.fieldKind === "scalar" && field.scalar === ScalarType.STRING && field.oneof === undefined
  );
}

/** The text of a field; empty where there is no such field. */
export function textOf(message: Message, name: string): string {
  const value = fieldsOf(message)[name];
  return typeof value === "string" ? value : "";
}

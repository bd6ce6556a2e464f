/** A port of a Service as one text: what memos about it are kept by. */

import { type ObjectKey, objectKey } from "../../kube/object.ts";

/** The name of `port` of `service`. */
export function servicePortName(service: ObjectKey, port: number): string {
  return `${service}/${port}`;
}

/** What {@linkcode servicePortName} was made of. */
export function parseServicePort(
  name: string,
): { readonly service: ObjectKey; readonly port: number } {
  // A reference may name anything, with slashes too; the port is behind the last one.
  const nameAt = name.indexOf("/") + 1;
  const portAt = name.lastIndexOf("/") + 1;
  return {
    service: objectKey(name.slice(0, nameAt - 1), name.slice(nameAt, portAt - 1)),
    port: Number(name.slice(portAt)),
  };
}

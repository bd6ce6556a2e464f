/**
 * What the API server checks of an EndpointSlice beyond its schema.
 *
 * Loopback and link-local addresses, which the API server refuses, are allowed: without a cluster
 * they are where the backends are. API type: `discovery.k8s.io/v1` EndpointSlice.
 */

import { checkSubdomain } from "../name_formats.ts";
import {
  checkAppProtocol,
  checkLabelName,
  checkOneOf,
  checkPortNumber,
  type Fields,
  objectsAt,
  protocols,
  textAt,
  textsAt,
} from "./core_fields.ts";
import type { FaultList } from "./fault_list.ts";
import { duplicate, invalid, required, tooMany } from "./field_error.ts";
import { isIpv4, isIpv6 } from "./ip_address.ts";

/** The API server's limits. */
const endpointsMax = 1000;
const addressesMax = 100;
const portsMax = 20_000;

/** Adds what is wrong with an EndpointSlice. */
export function checkEndpointSlice(
  fields: Fields,
  old: Fields | undefined,
  faults: FaultList,
): void {
  const type = textAt(fields, "addressType");
  checkOneOf(type, ["FQDN", "IPv4", "IPv6"], "addressType", faults);
  checkEndpoints(objectsAt(fields, "endpoints"), type, faults);
  checkPorts(objectsAt(fields, "ports"), faults);
  if (old !== undefined && old.addressType !== type) {
    faults.add(invalid("addressType", type, "field is immutable"));
  }
}

function checkEndpoints(endpoints: readonly Fields[], type: string, faults: FaultList): void {
  if (endpoints.length > endpointsMax) {
    return faults.add(tooMany("endpoints", endpoints.length, endpointsMax));
  }
  for (const [index, endpoint] of endpoints.entries()) {
    const path = `endpoints[${index}]`;
    checkAddresses(textsAt(endpoint, "addresses"), type, `${path}.addresses`, faults);
    const nodeName = textAt(endpoint, "nodeName");
    if (endpoint.nodeName !== undefined) {
      for (const detail of checkSubdomain(nodeName)) {
        faults.add(invalid(`${path}.nodeName`, nodeName, detail));
      }
    }
    if (endpoint.hostname !== undefined) {
      checkLabelName(textAt(endpoint, "hostname"), `${path}.hostname`, faults);
    }
  }
}

function checkAddresses(
  addresses: readonly string[],
  type: string,
  path: string,
  faults: FaultList,
): void {
  if (addresses.length === 0) {
    faults.add(required(path, "must contain at least 1 address"));
  } else if (addresses.length > addressesMax) {
    faults.add(tooMany(path, addresses.length, addressesMax));
  }
  for (const [index, address] of addresses.entries()) {
    for (const detail of addressFaults(address, type)) {
      faults.add(invalid(`${path}[${index}]`, address, detail));
    }
  }
}

function addressFaults(address: string, type: string): readonly string[] {
  switch (type) {
    case "IPv4":
      return isIpv4(address) ? [] : ["must be an IPv4 address"];
    case "IPv6":
      return isIpv6(address) ? [] : ["must be an IPv6 address"];
    case "FQDN":
      return checkSubdomain(address.replace(/\.$/, ""));
    default:
      return [];
  }
}

function checkPorts(ports: readonly Fields[], faults: FaultList): void {
  if (ports.length > portsMax) return faults.add(tooMany("ports", ports.length, portsMax));
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const path = `ports[${index}]`;
    const name = textAt(port, "name");
    if (name !== "") checkLabelName(name, `${path}.name`, faults);
    if (names.has(name)) faults.add(duplicate(`${path}.name`, name));
    names.add(name);
    checkOneOf(textAt(port, "protocol"), protocols, `${path}.protocol`, faults);
    if (port.port !== undefined) checkPortNumber(port.port, `${path}.port`, faults);
    checkAppProtocol(port, path, faults);
  }
}

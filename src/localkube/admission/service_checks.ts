/**
 * What the API server fills in and checks of a Service beyond its schema.
 *
 * Nothing is allocated: a Service without a cluster IP stays without one, because nobody routes to
 * it here. API type: `core/v1` Service.
 */

import { isRecord } from "../../kube/json_value.ts";
import { checkLabelValue, checkQualifiedName, checkSubdomain } from "../name_formats.ts";
import {
  checkAppProtocol,
  checkContainerPortName,
  checkLabelName,
  checkOneOf,
  checkPortNumber,
  type Fields,
  objectAt,
  objectsAt,
  protocols,
  textAt,
  textsAt,
} from "./core_fields.ts";
import type { FaultList } from "./fault_list.ts";
import { duplicate, forbidden, invalid, required } from "./field_error.ts";
import { isIpAddress } from "./ip_address.ts";

const serviceTypes = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

/** Adds the defaults that depend on other fields. */
export function prepareService(fields: Fields): Fields {
  const spec = objectAt(fields, "spec");
  const type = textAt(spec, "type");
  const isExposed = type === "NodePort" || type === "LoadBalancer";
  const prepared: Record<string, unknown> = { ...spec };
  if (Array.isArray(spec.ports)) {
    prepared.ports = spec.ports.map((port) => isRecord(port) ? withTargetPort(port) : port);
  }
  if (type === "ClusterIP" || isExposed) prepared.internalTrafficPolicy ??= "Cluster";
  if (isExposed) prepared.externalTrafficPolicy ??= "Cluster";
  if (type === "LoadBalancer") prepared.allocateLoadBalancerNodePorts ??= true;
  return { ...fields, spec: prepared };
}

/** A port without a target has its own number as target. */
function withTargetPort(port: Fields): Fields {
  const target = port.targetPort;
  return target === undefined || target === 0 || target === ""
    ? { ...port, targetPort: port.port ?? 0 }
    : port;
}

/** Adds what is wrong with a Service. */
export function checkService(fields: Fields, _old: Fields | undefined, faults: FaultList): void {
  const spec = objectAt(fields, "spec");
  const type = textAt(spec, "type");
  const ports = objectsAt(spec, "ports");
  const isHeadless = textAt(spec, "clusterIP") === "None";
  if (ports.length === 0 && !isHeadless && type !== "ExternalName") {
    faults.add(required("spec.ports"));
  }
  if (type === "ExternalName") checkExternalName(spec, faults);
  checkPorts(ports, type, faults);
  checkSelector(objectAt(spec, "selector"), faults);
  checkOneOf(textAt(spec, "sessionAffinity"), ["ClientIP", "None"], "spec.sessionAffinity", faults);
  checkOneOf(type, serviceTypes, "spec.type", faults);
  checkClusterIps(spec, type, faults);
}

function checkPorts(ports: readonly Fields[], type: string, faults: FaultList): void {
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const path = `spec.ports[${index}]`;
    checkPortName(textAt(port, "name"), ports.length > 1, names, `${path}.name`, faults);
    checkPortNumber(port.port, `${path}.port`, faults);
    checkOneOf(textAt(port, "protocol"), protocols, `${path}.protocol`, faults);
    const target = port.targetPort;
    if (typeof target === "string") checkContainerPortName(target, `${path}.targetPort`, faults);
    else checkPortNumber(target, `${path}.targetPort`, faults);
    checkAppProtocol(port, path, faults);
    if (type === "ClusterIP" && (port.nodePort ?? 0) !== 0) {
      faults.add(forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
    const number = `${textAt(port, "protocol")} ${String(port.port)}`;
    if (numbers.has(number)) faults.add(duplicate(path, duplicatedPort(port)));
    numbers.add(number);
  }
}

/** What the API server prints of a port that repeats protocol and number: its internal type. */
function duplicatedPort(port: Fields): Fields {
  return {
    Name: "",
    Protocol: textAt(port, "protocol"),
    AppProtocol: null,
    Port: port.port ?? 0,
    TargetPort: 0,
    NodePort: 0,
  };
}

function checkPortName(
  name: string,
  isRequired: boolean,
  names: Set<string>,
  path: string,
  faults: FaultList,
): void {
  if (name === "") {
    if (isRequired) faults.add(required(path));
    return;
  }
  checkLabelName(name, path, faults);
  if (names.has(name)) faults.add(duplicate(path, name));
  names.add(name);
}

function checkExternalName(spec: Fields, faults: FaultList): void {
  const path = "spec.externalName";
  // A trailing dot is how a name is written that must not be completed.
  const name = textAt(spec, "externalName").replace(/\.$/, "");
  if (name === "") faults.add(required(path));
  else for (const detail of checkSubdomain(name)) faults.add(invalid(path, name, detail));
}

function checkSelector(selector: Fields, faults: FaultList): void {
  for (const [key, value] of Object.entries(selector)) {
    for (const detail of checkQualifiedName(key)) faults.add(invalid("spec.selector", key, detail));
    for (const detail of checkLabelValue(String(value))) {
      faults.add(invalid("spec.selector", value, detail));
    }
  }
}

function checkClusterIps(spec: Fields, type: string, faults: FaultList): void {
  const listed = textsAt(spec, "clusterIPs");
  const first = textAt(spec, "clusterIP");
  const ips = listed.length > 0 || first === "" ? listed : [first];
  for (const [index, ip] of ips.entries()) {
    const path = `spec.clusterIPs[${index}]`;
    if (type === "ExternalName") {
      faults.add(forbidden(path, "may not be used when `type` is 'ExternalName'"));
    } else if (ip !== "None" && !isIpAddress(ip)) {
      const detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
      faults.add(invalid(path, ip, detail));
    } else if (ip === "None" && ips.length > 1) {
      faults.add(invalid(path, ip, "'None' must be the first and only value"));
    }
  }
}

/** Random BackendTLSPolicies, and what certificates are kept in. */

import fc from "fast-check";
import type { KubeObject } from "../../src/kube/object.ts";
import type { TestCertificate } from "./gateway_certificates.ts";
import { backendTLSPolicy, configMap } from "./gateway_kind_objects.ts";
import { type Json, object, tlsSecret } from "./gateway_objects.ts";
import { drawnMeta, inNamespace, present } from "./random_names.ts";

const service = (name: string, rest: Json = {}): Json => ({
  group: "",
  kind: "Service",
  name,
  ...rest,
});

const targetRefs = fc.constantFrom<readonly Json[]>(
  [service("web")],
  [service("web")],
  [service("web", { sectionName: "http" })],
  [service("web", { sectionName: "http" })],
  [service("web", { sectionName: "gone" })],
  [service("api"), service("web", { sectionName: "http" })],
  [service("dns"), service("nobody")],
  [{ group: "g", kind: "Service", name: "web" }],
);

const ca = (kind: string, name: string): Json => ({ group: "", kind, name });

const trust = fc.constantFrom<Json>(
  { caCertificateRefs: [ca("ConfigMap", "ca")] },
  { caCertificateRefs: [ca("ConfigMap", "ca")] },
  { caCertificateRefs: [ca("Secret", "ca")] },
  { caCertificateRefs: [ca("Secret", "one"), ca("ConfigMap", "ca2")] },
  { caCertificateRefs: [ca("Pod", "ca")] },
  { wellKnownCACertificates: "System" },
  { wellKnownCACertificates: "Moon" },
);

const subjectAltNames = fc.constantFrom<readonly Json[] | undefined>(
  undefined,
  undefined,
  [{ type: "Hostname", hostname: "b.example.com" }, { type: "URI", uri: "spiffe://a/b" }],
  [{ type: "IP" }],
);

/** Random BackendTLSPolicies. */
export const backendTLSPolicies: fc.Arbitrary<KubeObject> = fc.record({
  name: fc.constantFrom("policy", "policy2", "policy3"),
  meta: drawnMeta,
  targetRefs,
  trust,
  hostname: fc.constantFrom("web.example.com", "other.org"),
  subjectAltNames,
  options: fc.constantFrom(undefined, undefined, undefined, undefined, { "a.example/b": "c" }),
}).map(({ name, meta, targetRefs, trust, hostname, subjectAltNames, options }) =>
  backendTLSPolicy(
    name,
    present({
      targetRefs,
      validation: present({ ...trust, hostname, subjectAltNames }),
      options,
    }),
    meta,
  )
);

/** Random ConfigMaps, most of which hold a bundle. */
export function configMaps(certificates: readonly TestCertificate[]): fc.Arbitrary<KubeObject> {
  const data = [
    ...certificates.map(({ certificate }): Json => ({ "ca.crt": certificate })),
    { "ca.crt": "nonsense" },
    { "other.crt": "x" },
  ];
  return fc.record({
    name: fc.constantFrom("ca", "ca", "ca2"),
    data: fc.constantFrom(...data),
    meta: inNamespace.map((namespace) => ({ namespace })),
  }).map(({ name, data, meta }) => configMap(name, data, meta));
}

/** Random Secrets with a certificate and its key, or with a bundle. */
export function secrets(certificates: readonly TestCertificate[]): fc.Arbitrary<KubeObject> {
  const pem = fc.constantFrom(...certificates, { certificate: "nonsense", key: "nonsense" });
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ name: fc.constantFrom("one", "two"), namespace: inNamespace, pem })
        .map(({ name, namespace, pem }) => tlsSecret(name, pem, { namespace })),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        name: fc.constantFrom("ca", "ca", "one"),
        namespace: inNamespace,
        pem,
      })
        .map(({ name, namespace, pem }) => caSecret(name, pem, namespace)),
    },
  );
}

/** A Secret with a bundle of authorities and nothing else. */
export function caSecret(
  name: string,
  { certificate }: TestCertificate,
  namespace: string = "default",
): KubeObject {
  return object("v1", "Secret", name, { namespace }, {
    type: "Opaque",
    data: { "ca.crt": btoa(certificate) },
  });
}

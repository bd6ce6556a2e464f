/**
 * Manifests of a size that benchmarks share: 100 Gateways, each with a Service and 10 HTTPRoutes, in
 * 10 namespaces, and one GatewayClass.
 *
 * The text depends on nothing but the size. Every object is right, so a benchmark can assert that
 * there are no problems and that everything was computed.
 */

/** How much is in the world. */
export interface WorldSize {
  readonly gateways: number;
  readonly routesEach: number;
}

/** The size that the published figures are for. */
export const publishedSize: WorldSize = { gateways: 100, routesEach: 10 };

const namespaceCount = 10;

/** The objects as one YAML stream, spelled as people do: block style with some short flow maps. */
export function worldManifests({ gateways, routesEach }: WorldSize): string {
  const documents = [gatewayClass];
  for (let index = 0; index < gateways; index++) {
    documents.push(gateway(index), service(index));
    for (let route = 0; route < routesEach; route++) documents.push(httpRoute(index, route));
  }
  return documents.join("---\n");
}

const gatewayClass = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: weir}
spec: {controllerName: weir.dev/gateway-controller}
`;

function namespaceOf(index: number): string {
  return `ns-${index % namespaceCount}`;
}

function gateway(index: number): string {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: gw-${index}, namespace: ${namespaceOf(index)}}
spec:
  gatewayClassName: weir
  listeners:
  - name: http
    port: 80
    protocol: HTTP
    allowedRoutes: {namespaces: {from: All}}
`;
}

function service(index: number): string {
  return `apiVersion: v1
kind: Service
metadata: {name: svc-${index}, namespace: ${
    namespaceOf(index)
  }, annotations: {weir.dev/endpoints: "127.0.0.1:3000"}}
spec: {ports: [{port: 80}]}
`;
}

function httpRoute(index: number, route: number): string {
  const namespace = namespaceOf(index);
  return `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: route-${index}-${route}
  namespace: ${namespace}
spec:
  parentRefs:
  - name: gw-${index}
    namespace: ${namespace}
  rules:
  - matches:
    - path:
        type: PathPrefix
        value: /v${route}
    backendRefs:
    - name: svc-${index}
      port: 80
`;
}

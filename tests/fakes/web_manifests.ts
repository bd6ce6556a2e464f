/** Manifests of a small world: Gateway `web` on port 8080, Service `app`, and routes from one to the other. */

/** The class, the Gateway and the Service. */
export const webManifests = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: weir }
spec: { controllerName: weir.dev/gateway-controller }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web }
spec:
  gatewayClassName: weir
  listeners: [{ name: http, port: 8080, protocol: HTTP }]
---
apiVersion: v1
kind: Service
metadata: { name: app, annotations: { weir.dev/endpoints: "127.0.0.1:3000" } }
spec: { ports: [{ port: 80 }] }
`;

/** HTTPRoute `name` from the Gateway to the Service, for one path. */
export const webRoute = (name: string, path: string): string => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name} }
spec:
  parentRefs: [{ name: web }]
  rules: [{ matches: [{ path: { value: ${path} } }], backendRefs: [{ name: app, port: 80 }] }]
`;

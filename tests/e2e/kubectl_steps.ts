/**
 * What a person does with kubectl, in order: each command is run against a real API server and against
 * the local cluster's API, and both must end and speak alike.
 *
 * The objects are ones that no controller touches: what a controller makes of an object is no matter
 * of its API.
 */

/** One command. */
export interface KubectlStep {
  /** Words of the command; a word in quotes may have spaces. */
  readonly args: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Only how it ends is compared, and why. */
  readonly endsAlike?: string;
}

const settings = (color: string, more = ""): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop, labels: { app: shop } }
data: { color: ${color}${more} }
`;

const route = (hostname: string): string => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop, namespace: shop, labels: { app: shop } }
spec:
  hostnames: [${hostname}]
  rules: [{ matches: [{ path: { type: PathPrefix, value: /shop } }] }]
`;

const invalidRoute = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: bad, namespace: shop }
spec:
  hostnames: ["*"]
  surprise: true
  rules: [{ matches: [{ path: { type: Exact, value: shop } }] }]
`;

const event = `
apiVersion: v1
kind: Event
metadata: { name: shop.1, namespace: shop }
involvedObject: { apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, namespace: shop, name: shop }
reason: Accepted
message: The route is attached
type: Normal
count: 2
source: { component: weir }
`;

const lease = `
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: weir, namespace: shop }
spec: { holderIdentity: weir-0, leaseDurationSeconds: 15 }
`;

const unnamed = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop, resourceVersion: "1" }
data: {}
`;

/** Lists with defaults are one field each, so that another author of the same conflicts. */
const attachedRoute = (hostname: string): string => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: attached, namespace: shop }
spec: { hostnames: [${hostname}], parentRefs: [{ name: none }] }
`;

const sameRoute = "edit httproute shop -n shop";

/** Every command, in order. */
export const kubectlSteps: readonly KubectlStep[] = [
  { args: "create namespace shop" },
  { args: "create namespace shop" },
  // apply, on the client's side
  { args: "apply -f -", input: settings("red") },
  { args: "apply -f -", input: settings("red") },
  { args: "apply -f -", input: settings("blue", ", size: big") },
  { args: "apply -f -", input: route("shop.example.com") },
  { args: "apply -f -", input: route("shop.example.com") },
  { args: "apply -f -", input: invalidRoute },
  { args: "apply -f - --validate=false", input: invalidRoute },
  { args: "apply -f - --dry-run=server -o yaml", input: settings("green") },
  // reading
  { args: "get cm settings -n shop -o yaml" },
  { args: "get all -n shop" },
  { args: "get httproute shop -n shop -o yaml --show-managed-fields" },
  { args: "get cm,httproute -n shop -l app=shop" },
  { args: "get cm -n shop -l 'app in (shop),!gone' -o name" },
  { args: "get cm -A --field-selector metadata.name=settings -o wide" },
  { args: "get cm -n shop --field-selector data.color=red" },
  { args: "get httproutes -A --chunk-size=1 -o name" },
  { args: "get httproute shop -n shop -o jsonpath={.spec.hostnames[0]}" },
  { args: "get httproute none -n shop" },
  { args: "get nothing -n shop" },
  { args: "get httproutes.v1beta1.gateway.networking.k8s.io shop -n shop -o yaml" },
  { args: "describe cm settings -n shop" },
  { args: "explain httproute.spec.hostnames", endsAlike: "texts of items are left out" },
  { args: "explain httproute.spec.parentRefs.name" },
  { args: "explain cm", endsAlike: "metadata is described in words of our own" },
  { args: "explain event.involvedObject", endsAlike: "types have no names" },
  { args: "explain event.involvedObject.name" },
  { args: "explain events.events.k8s.io.regarding --api-version=events.k8s.io/v1" },
  { args: "explain lease.spec --recursive", endsAlike: "types have no names" },
  { args: "explain pod.spec.containers.image" },
  { args: "api-resources --api-group=gateway.networking.k8s.io --sort-by=name" },
  {
    args: "api-resources --api-group=coordination.k8s.io --verbs=patch -o name",
    endsAlike: "more",
  },
  { args: "auth can-i create httproutes -n shop" },
  { args: "auth can-i --list -n shop", endsAlike: "other rights" },
  // creating
  { args: "create cm made -n shop --from-literal=a=b --dry-run=server -o yaml" },
  { args: "create cm made -n shop --from-literal=a=b" },
  { args: "create secret generic made -n shop --from-literal=a=b" },
  { args: "create -f -", input: lease },
  { args: "get leases -n shop" },
  { args: "create -f -", input: event },
  { args: "get events -n shop -o wide" },
  { args: "get events.events.k8s.io shop.1 -n shop -o yaml", endsAlike: "Go says null of no time" },
  { args: "events -n shop --for httproute/shop" },
  { args: "describe httproute shop -n shop" },
  // changing
  { args: "label cm settings -n shop tier=web" },
  { args: "label cm settings -n shop tier=db" },
  { args: "label cm settings -n shop tier=db --overwrite" },
  { args: "label cm settings -n shop tier-" },
  { args: "annotate httproute shop -n shop note='a b'" },
  { args: "annotate httproute shop -n shop 'bad key=x'" },
  { args: 'patch cm settings -n shop --type=merge -p \'{"data":{"size":null}}\'' },
  { args: 'patch cm settings -n shop -p \'{"data":{"size":"small"}}\' -o yaml' },
  { args: 'patch cm settings -n shop -p \'{"data":{"size":"small"}}\'' },
  {
    args: "patch httproute shop -n shop --type=json " +
      '-p \'[{"op":"add","path":"/spec/hostnames/-","value":"b.example.com"}]\'',
  },
  {
    args: "patch httproute shop -n shop --type=json " +
      '-p \'[{"op":"test","path":"/spec/hostnames/0","value":"no"}]\'',
    endsAlike: "we say which operation",
  },
  { args: "patch httproute shop -n shop -p '{}'" },
  { args: 'patch httproute shop -n shop --type=merge -p \'{"spec":{"hostnames":["*"]}}\'' },
  { args: "get httproute shop -n shop -o yaml --show-managed-fields" },
  // editing
  { args: "edit cm settings -n shop", env: { KUBE_EDITOR: "sed -i s/blue/black/" } },
  { args: "edit cm settings -n shop", env: { KUBE_EDITOR: "true" } },
  { args: sameRoute, env: { KUBE_EDITOR: "sed -i s/b.example.com/c.example.com/" } },
  // apply, on the server's side
  { args: "apply --server-side --field-manager=one -f -", input: settings("white") },
  {
    args: "apply --server-side --field-manager=one --force-conflicts -f -",
    input: settings("white"),
  },
  { args: "apply --server-side --field-manager=two -f -", input: settings("grey") },
  { args: "apply --server-side --field-manager=two -f -", input: settings("white") },
  { args: "get cm settings -n shop -o yaml --show-managed-fields" },
  {
    args: "apply --server-side --field-manager=one -f - --dry-run=server",
    input: settings("white"),
  },
  { args: "apply --server-side --field-manager=one -f -", input: invalidRoute },
  {
    args: "apply --server-side --field-manager=one --force-conflicts -f -",
    input: route("d.example"),
  },
  { args: "get httproute shop -n shop -o yaml --show-managed-fields" },
  { args: "apply --server-side --field-manager=one -f -", input: attachedRoute("a.example") },
  { args: "apply --server-side --field-manager=two -f -", input: attachedRoute("a.example") },
  { args: "apply --server-side --field-manager=two -f -", input: attachedRoute("b.example") },
  { args: "delete httproute attached -n shop" },
  // comparing
  { args: "diff -f -", input: settings("white"), endsAlike: "the folder's name" },
  { args: "diff -f -", input: settings("pink"), endsAlike: "names of files" },
  {
    args: "diff --server-side --force-conflicts -f -",
    input: settings("pink"),
    endsAlike: "names",
  },
  // replacing
  { args: "replace -f -", input: settings("orange") },
  { args: "replace -f -", input: unnamed },
  { args: "replace -f -", input: route("e.example.com") },
  { args: "replace --force -f -", input: route("f.example.com") },
  {
    args: "replace --raw /api/v1/namespaces/shop/configmaps/settings -f -",
    input: "{",
    endsAlike: "words of Go's parser",
  },
  // waiting
  { args: "wait cm/settings -n shop --for=jsonpath={.data.color}=orange --timeout=5s" },
  { args: "wait cm/settings -n shop --for=jsonpath={.data.color}=none --timeout=1s" },
  { args: "wait cm/none -n shop --for=create --timeout=1s" },
  { args: "wait cm/none -n shop --for=delete --timeout=1s" },
  // deleting
  { args: "delete cm settings -n shop --dry-run=server" },
  { args: "delete cm settings -n shop --cascade=orphan" },
  { args: "delete cm settings -n shop" },
  { args: "delete cm settings -n shop --ignore-not-found" },
  { args: "delete httproute -n shop -l app=shop --cascade=foreground" },
  { args: "delete --raw /api/v1/namespaces/shop/configmaps/none" },
  { args: "get cm,httproutes,leases -n shop -o name", endsAlike: "the root authority's ConfigMap" },
  { args: "delete namespace shop" },
  { args: "get httproutes -n shop" },
];

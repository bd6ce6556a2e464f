/**
 * The protobuf form of the messages that typed clients send: field numbers, names and types.
 *
 * Facts of the `generated.proto` files of `k8s.io/api` and `k8s.io/apimachinery` v0.36.3, for the
 * built-in kinds that the local cluster holds, the reviews, and the options of a delete. A field is
 * `NUMBER NAME TYPE`; `[]TYPE` is a list, `{TYPE}` a map from strings. `flag` is a boolean that is
 * always sent, so that false means nothing.
 */

/** Every message by its name. */
export const protobufMessages: Readonly<Record<string, string>> = {
  ConfigMap: "1 metadata ObjectMeta, 4 immutable bool, 2 data {string}, 3 binaryData {bytes}",
  Secret: "1 metadata ObjectMeta, 5 immutable bool, 2 data {bytes}, 4 stringData {string}, " +
    "3 type string",
  Namespace: "1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus",
  Service: "1 metadata ObjectMeta, 2 spec ServiceSpec, 3 status ServiceStatus",
  EndpointSlice: "1 metadata ObjectMeta, 4 addressType string, 2 endpoints []Endpoint, " +
    "3 ports []EndpointPort",
  Event: "1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason string, " +
    "4 message string, 5 source EventSource, 6 firstTimestamp Time, 7 lastTimestamp Time, " +
    "8 count int32, 9 type string, 10 eventTime MicroTime, 11 series EventSeries, " +
    "12 action string, 13 related ObjectReference, 14 reportingComponent string, " +
    "15 reportingInstance string",
  "events.k8s.io/v1 Event": "1 metadata ObjectMeta, 2 eventTime MicroTime, 3 series EventSeries, " +
    "4 reportingController string, 5 reportingInstance string, 6 action string, " +
    "7 reason string, 8 regarding ObjectReference, 9 related ObjectReference, 10 note string, " +
    "11 type string, 12 deprecatedSource EventSource, 13 deprecatedFirstTimestamp Time, " +
    "14 deprecatedLastTimestamp Time, 15 deprecatedCount int32",
  Lease: "1 metadata ObjectMeta, 2 spec LeaseSpec",
  SelfSubjectAccessReview: "1 metadata ObjectMeta, 2 spec SelfSubjectAccessReviewSpec, " +
    "3 status SubjectAccessReviewStatus",
  SelfSubjectRulesReview: "1 metadata ObjectMeta, 2 spec SelfSubjectRulesReviewSpec, " +
    "3 status SubjectRulesReviewStatus",
  SelfSubjectReview: "1 metadata ObjectMeta, 2 status SelfSubjectReviewStatus",
  DeleteOptions: "1 gracePeriodSeconds int64, 2 preconditions Preconditions, " +
    "3 orphanDependents bool, 4 propagationPolicy string, 5 dryRun []string, " +
    "6 ignoreStoreReadErrorWithClusterBreakingPotential bool",
  ObjectMeta: "1 name string, 2 generateName string, 3 namespace string, 4 selfLink string, " +
    "5 uid string, 6 resourceVersion string, 7 generation int64, " +
    "8 creationTimestamp Time, 9 deletionTimestamp Time, " +
    "10 deletionGracePeriodSeconds int64, 11 labels {string}, " +
    "12 annotations {string}, 13 ownerReferences []OwnerReference, " +
    "14 finalizers []string, 17 managedFields []ManagedFieldsEntry",
  NamespaceSpec: "1 finalizers []string",
  NamespaceStatus: "1 phase string, 2 conditions []NamespaceCondition",
  ServiceSpec: "1 ports []ServicePort, 2 selector {string}, 3 clusterIP string, " +
    "18 clusterIPs []string, 4 type string, 5 externalIPs []string, " +
    "7 sessionAffinity string, 8 loadBalancerIP string, " +
    "9 loadBalancerSourceRanges []string, 10 externalName string, " +
    "11 externalTrafficPolicy string, 12 healthCheckNodePort int32, " +
    "13 publishNotReadyAddresses flag, " +
    "14 sessionAffinityConfig SessionAffinityConfig, 19 ipFamilies []string, " +
    "17 ipFamilyPolicy string, 20 allocateLoadBalancerNodePorts bool, " +
    "21 loadBalancerClass string, 22 internalTrafficPolicy string, " +
    "23 trafficDistribution string",
  ServiceStatus: "1 loadBalancer LoadBalancerStatus, 2 conditions []Condition",
  Endpoint: "1 addresses []string, 2 conditions EndpointConditions, 3 hostname string, " +
    "4 targetRef ObjectReference, 5 deprecatedTopology {string}, 6 nodeName string, " +
    "7 zone string, 8 hints EndpointHints",
  EndpointPort: "1 name string, 2 port int32, 3 protocol string, 4 appProtocol string",
  SelfSubjectAccessReviewSpec: "1 resourceAttributes ResourceAttributes, " +
    "2 nonResourceAttributes NonResourceAttributes",
  SubjectAccessReviewStatus:
    "1 allowed flag, 4 denied flag, 2 reason string, 3 evaluationError string",
  SelfSubjectRulesReviewSpec: "1 namespace string",
  SubjectRulesReviewStatus:
    "1 resourceRules []ResourceRule, 2 nonResourceRules []NonResourceRule, " +
    "3 incomplete flag, 4 evaluationError string",
  SelfSubjectReviewStatus: "1 userInfo UserInfo",
  Preconditions: "1 uid string, 2 resourceVersion string",
  OwnerReference: "5 apiVersion string, 1 kind string, 3 name string, 4 uid string, " +
    "6 controller bool, 7 blockOwnerDeletion bool",
  ManagedFieldsEntry: "1 manager string, 2 operation string, 3 apiVersion string, 4 time Time, " +
    "6 fieldsType string, 7 fieldsV1 FieldsV1, 8 subresource string",
  NamespaceCondition:
    "1 type string, 2 status string, 4 lastTransitionTime Time, 5 reason string, " +
    "6 message string",
  EventSource: "1 component string, 2 host string",
  EventSeries: "1 count int32, 2 lastObservedTime MicroTime",
  LeaseSpec: "1 holderIdentity string, 2 leaseDurationSeconds int32, 3 acquireTime MicroTime, " +
    "4 renewTime MicroTime, 5 leaseTransitions int32, 6 strategy string, 7 preferredHolder string",
  ServicePort: "1 name string, 2 protocol string, 6 appProtocol string, 3 port int32, " +
    "4 targetPort IntOrString, 5 nodePort int32",
  SessionAffinityConfig: "1 clientIP ClientIPConfig",
  LoadBalancerStatus: "1 ingress []LoadBalancerIngress",
  Condition: "1 type string, 2 status string, 3 observedGeneration int64, " +
    "4 lastTransitionTime Time, 5 reason string, 6 message string",
  EndpointConditions: "1 ready bool, 2 serving bool, 3 terminating bool",
  ObjectReference: "1 kind string, 2 namespace string, 3 name string, 4 uid string, " +
    "5 apiVersion string, 6 resourceVersion string, 7 fieldPath string",
  EndpointHints: "1 forZones []ForZone, 2 forNodes []ForNode",
  ResourceAttributes: "1 namespace string, 2 verb string, 3 group string, 4 version string, " +
    "5 resource string, 6 subresource string, 7 name string, " +
    "8 fieldSelector FieldSelectorAttributes, " +
    "9 labelSelector LabelSelectorAttributes",
  NonResourceAttributes: "1 path string, 2 verb string",
  ResourceRule: "1 verbs []string, 2 apiGroups []string, 3 resources []string, " +
    "4 resourceNames []string",
  NonResourceRule: "1 verbs []string, 2 nonResourceURLs []string",
  UserInfo: "1 username string, 2 uid string, 3 groups []string, 4 extra {ExtraValue}",
  ClientIPConfig: "1 timeoutSeconds int32",
  LoadBalancerIngress: "1 ip string, 2 hostname string, 3 ipMode string, 4 ports []PortStatus",
  ForZone: "1 name string",
  ForNode: "1 name string",
  FieldSelectorAttributes: "1 rawSelector string, 2 requirements []FieldSelectorRequirement",
  LabelSelectorAttributes: "1 rawSelector string, 2 requirements []LabelSelectorRequirement",
  ExtraValue: "1 items []string",
  PortStatus: "1 port int32, 2 protocol string, 3 error string",
  FieldSelectorRequirement: "1 key string, 2 operator string, 3 values []string",
  LabelSelectorRequirement: "1 key string, 2 operator string, 3 values []string",
};

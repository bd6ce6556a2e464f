/** The flags of the leader election among several replicas on one cluster. */

import { duration, optional } from "./flag.ts";
import { clusterObjectNameType, namespaceNameType } from "./network_types.ts";
import { minute, second } from "./units.ts";
import { stringType } from "./value_type.ts";

/** See the file's header. */
export const leaderElectionFlags = {
  "leader-election-namespace": optional({
    group: "Cluster",
    type: namespaceNameType,
    help:
      "The namespace of the Lease by which replicas agree who writes statuses. Without it that " +
      "of the pod, or of the kubeconfig's context",
  }),
  "leader-election-lease-name": optional({
    group: "Cluster",
    type: clusterObjectNameType,
    help:
      "The name of that Lease, the same for all replicas. Without it one that is made of what " +
      "is served: the controller name, and the Gateways and namespaces where they are named",
  }),
  "leader-election-identity": optional({
    group: "Cluster",
    type: stringType,
    help: "How this replica is called in the Lease and in Events, with a random part behind it. " +
      "Without it POD_NAME or HOSTNAME of the environment",
  }),
  "leader-election-lease-duration": duration({
    group: "Cluster",
    default: 15 * second,
    min: 2 * second,
    max: 10 * minute,
    help: "How long after the leader's last renewal another replica takes over. Whole seconds",
  }),
  "leader-election-renew-deadline": duration({
    group: "Cluster",
    default: 10 * second,
    min: second,
    max: 10 * minute,
    help: "How long after its last renewal the leader stops to write. Shorter than the lease",
  }),
  "leader-election-retry-period": duration({
    group: "Cluster",
    default: 2 * second,
    min: 100,
    max: minute,
    help: "How often the leader renews, and half as long how often others look. At most half of " +
      "the renew deadline",
  }),
};

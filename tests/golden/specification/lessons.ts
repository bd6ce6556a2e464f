/**
 * What went wrong in other implementations, each with the tests that would fail if it went wrong here:
 * faults that were found by reading their code, and what their users report.
 */

import type { Rule } from "./rules.ts";

/** Found by reading. */
export const defects: readonly Rule[] = [
  {
    rule: "1: The time of the clock is in no computation",
    proofs: [
      "golden/translate/translate_test.ts: translate writes conditions of the generation that it saw, without times",
      "unit/kube/render_status_test.ts: renderStatus() has the API's shape, in one order, without times",
    ],
  },
  {
    rule: "2: A parent that is not ours has no entry, or two controllers fight over the status",
    proofs: [
      "unit/gateway/input_door_test.ts: A parent that is not ours gets no entry, or two controllers fight over the status",
      "golden: 39-parent-not-ours",
      "golden: 231-grpc-route-parents",
    ],
  },
  {
    rule: "3: Conditions of others are neither removed nor moved",
    proofs: [
      "contract/status_writer_shared_status_test.ts: mergeStatus() keeps every condition of other controllers, unchanged and in order",
      "unit/kube/status_merge_test.ts: mergeStatus() keeps foreign condition types inside our own entry",
    ],
  },
  {
    rule:
      "4: What was written for a newer generation is left alone, and what is written is the newest",
    proofs: [
      "contract/status_writer_shared_status_test.ts: mergeStatus() never touches a condition of a newer generation",
      "unit/kube/status_writer_test.ts: StatusWriter writes the newest status there is when the read took a while",
    ],
  },
  {
    rule: "5: The first listener of a Gateway does not win over its siblings",
    proofs: [
      "golden: 11-protocol-conflict",
      "unit/gateway/gateway_status_test.ts: HTTP and HTTPS on one port conflict: no winner is picked within a Gateway",
    ],
  },
  {
    rule: "6: attachedRoutes is set also where the listener is not accepted",
    proofs: [
      "golden: 73-attached-routes-unresolved-listener",
      "unit/gateway/gateway_status_test.ts: attachedRoutes counts accepted routes once each, whatever the listener's state is",
    ],
  },
  {
    rule:
      "7: Policies for different sections do not conflict, and finding conflicts costs no walk over all pairs",
    proofs: [
      "golden: 250-backend-tls-policy-conflicts",
      "unit/gateway/backend_tls_test.ts: Two policies for two sections do not meet",
      "unit/gateway/few_looked_at_test.ts: A changed listener has no other Gateway at its address looked at",
      "unit/gateway/incremental_outputs_test.ts: A Service that nobody named wakes nobody; one that was missed wakes who missed it",
    ],
  },
  {
    rule: "8: An object that was deleted and made again is another one, though it be equal",
    proofs: [
      "unit/gateway/input_slices_test.ts: A … that was deleted and made again is a change, equal or not",
      "unit/gateway/address_provider_test.ts: A Gateway that was deleted and made again is another one",
    ],
  },
  {
    rule: "9: Who follows a Gateway is told of what a ListenerSet adds",
    proofs: [
      "simulation/gateway_complaints_test.ts: A hostname that a ListenerSet adds is told to whoever follows the Gateway",
    ],
  },
  {
    rule: "10: Nothing is published before every kind was listed, without anybody having to say so",
    proofs: [
      "simulation/gateway_state_test.ts: State publishes nothing before every kind has synced, then everything at once",
    ],
  },
  {
    rule: "11: Kinds that are accepted are listed as supported, also by default",
    proofs: [
      "golden: 230-grpc-route",
      "golden: 231-grpc-route-parents",
      "unit/app/data_plane_capabilities_test.ts: Each kind of route that … serves is a feature of it",
    ],
  },
  {
    rule:
      "12: A difference of order is no write; when a write is due ours go first, the others keep their order",
    proofs: [
      "unit/kube/status_merge_test.ts: mergeStatus() does not write for a difference of order",
      "unit/kube/status_merge_test.ts: mergeStatus() puts ours first and sorted when a write is due anyway",
    ],
  },
];

/** Found by users. */
export const complaints: readonly Rule[] = [
  {
    rule: "1: Parents stay empty for ever under churn, because a write was dropped",
    proofs: [
      "contract/status_writer_local_cluster_test.ts: status writers write a status for the successor of a deleted object",
      "simulation/written_status_edits_test.ts: Stored statuses are those that the engine wants, whatever was edited: …",
      "unit/kube/status_writer_conflicts_test.ts: StatusWriter tries again at once after a conflict, from what the cluster has now",
    ],
  },
  {
    rule: "2: A route is served and its status never written",
    proofs: [
      "golden/translate/written_status_test.ts: serve writes the statuses of … once",
      "simulation/written_status_edits_test.ts: Stored statuses are those that the engine wants, whatever was edited: …",
    ],
  },
  {
    rule: "3: NoMatchingListenerHostname stays after the listener was changed",
    proofs: [
      "simulation/gateway_complaints_test.ts: A route whose hostname met no listener is accepted as soon as a listener changes",
      "simulation/gateway_complaints_test.ts: A route to a ListenerSet follows the set, its permission and its Gateway",
      "simulation/gateway_incremental_test.ts: Incremental outputs equal those from scratch after every edit: …",
    ],
  },
  {
    rule: "4: Conflicts on every creation of a Gateway",
    proofs: [
      "contract/status_writer_local_cluster_test.ts: status writers replace the CRD's placeholder and leave the generation alone",
      "unit/kube/status_writer_conflicts_test.ts: StatusWriter gives others a turn after four conflicts, and is back within 2 s",
    ],
  },
  {
    rule: "5: Memory grows with churn, because any change makes everything anew",
    proofs: [
      "simulation/gateway_state_test.ts: Churn of objects leaves nothing behind",
      "unit/query/collect_test.ts: Memos, absences and sets return to the baseline after every churn",
      "unit/gateway/incremental_outputs_test.ts: The path of one route tells that route and the data plane, and runs seven queries",
    ],
  },
  {
    rule: "6: Requests get 404 while things roll over or the controller starts",
    proofs: [
      "integration/proxy_changes_test.ts: proxy loses no request while routes change",
      "integration/proxy_changes_test.ts: proxy loses no request while endpoints are replaced",
      "simulation/gateway_state_test.ts: State publishes nothing before every kind has synced, then everything at once",
      "integration/proxy_listeners_test.ts: proxy is ready from the first configuration until it drains",
    ],
  },
  {
    rule: "7: Two writers of one status fight, and one wipes out the other",
    proofs: [
      "contract/status_writer_shared_status_test.ts: two controllers that share … settle after one write each",
      "contract/status_writer_shared_status_test.ts: mergeStatus() keeps every condition of other controllers, unchanged and in order",
      "contract/status_writer_local_cluster_test.ts: status writers do not rewrite a status for an entry of another controller",
    ],
  },
  {
    rule: "8: Ready before everything is known; or never ready, and killed for it",
    proofs: [
      "simulation/gateway_state_test.ts: State publishes nothing before every kind has synced, then everything at once",
      "simulation/gateway_state_test.ts: State opens the gate also when there is nothing, so that readiness comes",
      "unit/app/run_all_test.ts: SubsystemRunner.readiness() is ready only while it runs and everything is ready",
    ],
  },
  {
    rule: "9: One unready part holds back the updates of all others",
    proofs: [
      "unit/gateway/programmed_test.ts: A refusal against a route is told on that route only",
      "simulation/gateway_state_test.ts: DataPlanePush tries again what was refused: a port may be free later",
      "simulation/gateway_state_test.ts: Feed keeps the last good version of an object that became unreadable",
      "simulation/gateway_hostile_objects_test.ts: Spoilt objects end nothing, and a good route beside them is served",
    ],
  },
  {
    rule:
      "10: Entries of others are doubled, entries that others removed are not restored, others overwrite ours",
    proofs: [
      "contract/status_writer_shared_status_test.ts: mergeStatus() leaves no entry of ours that is not wanted among the …",
      "contract/status_writer_local_cluster_test.ts: status writers restore what another controller overwrote, and never in a tight loop",
      "contract/status_writer_local_cluster_test.ts: status writers take back entries that an earlier process left behind",
    ],
  },
  {
    rule: "11: A loop without end; ResolvedRefs is True while the data plane answers 503",
    proofs: [
      "contract/status_writer_local_cluster_test.ts: status writers come to rest: own writes cause no recompute and no further write",
      "simulation/gateway_edits_test.ts: What is programmed is what a slow data plane serves, and all that it serves: …",
      "unit/gateway/data_plane_config_test.ts: A cluster holds ready and unknown endpoints of all slices, sorted, each once",
    ],
  },
  {
    rule:
      "12: Objects of others cause work, and equal outputs are written anew because their order differs",
    proofs: [
      "unit/gateway/input_door_test.ts: Foreign routes move no revision, so that they cost no recompute",
      "simulation/gateway_order_test.ts: Outputs do not depend on the order in which inputs arrive",
      "simulation/gateway_order_test.ts: A recompute that changes nothing returns the very same parts and no keys",
    ],
  },
  {
    rule:
      "13: A status is written for its time alone; routes of others are told Accepted; two installations fight",
    proofs: [
      "unit/kube/status_merge_test.ts: mergeStatus() does not write what is stored already",
      "unit/kube/status_merge_test.ts: mergeStatus() keeps the transition time when only reason or generation change",
      "unit/kube/status_merge_test.ts: mergeStatus() leaves entries of a sibling instance with our name alone",
      "unit/gateway/input_door_test.ts: A parent that is not ours gets no entry, or two controllers fight over the status",
    ],
  },
  {
    rule:
      "14: Conflicts are tried again without a pause; attachedRoutes goes up and down while routes come",
    proofs: [
      "unit/kube/status_writer_conflicts_test.ts: StatusWriter gives others a turn after four conflicts, and is back within 2 s",
      "unit/kube/restore_pace_test.ts: RestorePace.delayMs() is nothing at first, then doubles up to its maximum",
      "simulation/gateway_complaints_test.ts: attachedRoutes counts every route of a burst, and never goes back on the way",
    ],
  },
  {
    rule:
      "15: A status takes minutes in large clusters, because Gateways are compared with each other",
    proofs: [
      "unit/gateway/incremental_outputs_test.ts: The path of one route tells that route and the data plane, and runs seven queries",
      "unit/gateway/few_looked_at_test.ts: A changed listener has no other Gateway at its address looked at",
      "unit/dataplane/route_table_test.ts: RouteTable.find() looks at few of ten thousand routes",
    ],
  },
  {
    rule: "16: Entries of parents that a route left stay behind, and health checks read them",
    proofs: [
      "contract/status_writer_local_cluster_test.ts: status writers take back our entry when a route leaves our Gateway",
      "contract/status_writer_local_cluster_test.ts: status writers take back entries that an earlier process left behind",
      "contract/status_writer_local_cluster_test.ts: status writers take back what they said of a Gateway whose class is gone",
    ],
  },
  {
    rule:
      "17: Who shares a status removes no entry of others, keeps their places and words, and adds none for Gateways of others",
    proofs: [
      "unit/kube/status_merge_test.ts: mergeStatus() keeps the parents of other controllers, in their order, after ours",
      "contract/status_writer_shared_status_test.ts: mergeStatus() keeps every … of other controllers, unchanged and in order",
      "contract/status_writer_shared_status_test.ts: two controllers that share … settle after one write each",
      "unit/gateway/input_door_test.ts: A parent that is not ours gets no entry, or two controllers fight over the status",
    ],
  },
];

/**
 * Who may use the HTTP API, by where weir runs.
 *
 * On a person's own machine, which is manifests or a kubeconfig and a loopback address, whoever reaches
 * it is trusted. In a pod nobody is, not even on loopback, because sidecars and port-forwards come from
 * there; and nowhere is a stranger who comes over the network. Then a cluster reviews tokens and rights,
 * or a file of tokens says who may do what; without either, everything but probes is refused.
 */

import type { AccessControl } from "../auth/access.ts";
import { ReviewedAccess } from "../auth/reviewed_access.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import { isLoopbackHost } from "../config/address_range.ts";
import type { Config } from "../config/flags.ts";
import { ClusterReviews } from "./cluster_reviews.ts";
import { ListedAccess } from "./listed_access.ts";
import type { OpenCluster } from "./open_cluster.ts";
import { TokenFile } from "./token_file.ts";

/** What the access is decided from. */
export interface ApiAccessOptions {
  readonly config: Pick<Config, "apiAddress" | "apiTokens" | "apiAudiences">;
  /** The cluster that is served; absent: manifests are. */
  readonly cluster: Pick<OpenCluster, "transport" | "isPod"> | undefined;
  readonly readText: (path: string) => Promise<string>;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The access control of the API. */
export interface ApiAccess {
  readonly control: AccessControl;
  /** Reads what has to be read before the first request. Rejects when it cannot be used. */
  open(): Promise<void>;
}

/** Chooses it; undefined: whoever reaches the API is trusted. */
export function mountApiAccess(options: ApiAccessOptions): ApiAccess | undefined {
  const { config, cluster, readText, clock } = options;
  const log = options.log.child({ subsystem: "api" });
  const { apiAddress, apiTokens: path } = config;
  const isOwnMachine = cluster?.isPod !== true && isLoopbackHost(apiAddress.host);
  if (cluster && path !== undefined) {
    // Only in a pod that found its cluster by itself; else the settings are refused.
    log.warn("--api-tokens has no part: the cluster says itself who may do what", { path });
  }
  if (cluster && !isOwnMachine) {
    return { control: reviewedBy(cluster, options, log), open: () => Promise.resolve() };
  }
  if (path === undefined) {
    return isOwnMachine
      ? undefined
      : { control: new ListedAccess(), open: () => Promise.resolve() };
  }
  const access = new ListedAccess();
  return {
    control: access,
    async open() {
      access.users ??= await TokenFile.open({ path, readText, clock, log, others: new Map() });
    },
  };
}

function reviewedBy(
  { transport }: Pick<OpenCluster, "transport">,
  { config, registry, clock }: ApiAccessOptions,
  log: Logger,
): AccessControl {
  const reviews = new ClusterReviews({ transport, audiences: config.apiAudiences, log });
  const counts = registry.counter({
    name: "weir_api_reviews_total",
    help: "Reviews of tokens and rights for the HTTP API that the cluster made, by what they " +
      "found. limited: not made, because too many were wanted at once.",
    labels: { review: ["token", "access"], outcome: ["yes", "no", "failed", "limited"] },
  });
  return new ReviewedAccess({
    authenticator: reviews,
    authorizer: reviews,
    clock,
    onReview: (review, outcome) => counts.with({ review, outcome }).inc(),
  });
}

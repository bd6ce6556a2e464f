/** Whether the API server answers, which release it is, who we are to it, and what its clock says. */

import type { ClusterCheckLine } from "../cli/context.ts";
import type { ClusterError, ClusterErrorKind } from "../kube/cluster_error.ts";
import { asList, asString } from "../kube/json_value.ts";
import type { ClusterCheckSurroundings } from "./cluster_check_inputs.ts";
import { askCluster, type ClusterAnswer, valueAt } from "./cluster_question.ts";

/** The oldest minor version of Kubernetes 1 that the Gateway API's rules and our manifests need. */
const minorMin = 30;
/** Beyond this, times in statuses and Leases are hard to read beside others, milliseconds. */
const skewWarningMs = 5_000;
/** Beyond this, tokens and certificates may count as not yet valid, or as expired, milliseconds. */
const skewMaxMs = 60_000;

/** What was found, and whether it makes sense to ask on. */
export interface ServerCheck {
  readonly lines: readonly ClusterCheckLine[];
  readonly isReachable: boolean;
}

/** Asks for the version, then who we are. */
export async function checkServer(surroundings: ClusterCheckSurroundings): Promise<ServerCheck> {
  const { clock, server } = surroundings;
  let date: string | undefined;
  let atMs = clock.now();
  const startMs = clock.monotonicMs();
  const onDate = (told: string | undefined): void => {
    date = told;
    atMs = clock.now();
  };
  const version = await askCluster(surroundings, { path: "/version", onDate });
  const tookMs = Math.round(clock.monotonicMs() - startMs);
  const subject = server.origin;
  if (!version.ok) return { lines: [failedServer(subject, version.error)], isReachable: false };
  const identity = await askCluster(surroundings, {
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  return {
    lines: [
      serverLine(subject, asString(version.value.gitVersion) ?? "", tookMs),
      identityLine(identity),
      clockLine(date, atMs),
    ],
    isReachable: identity.ok || identity.error.kind !== "unauthorized",
  };
}

const serverAdvice: Partial<Record<ClusterErrorKind, string>> = {
  unreachable: "see that the server of the kubeconfig is right, and that no firewall or proxy " +
    "(proxy-url, HTTPS_PROXY, NO_PROXY) is in between",
  timeout: "see whether a firewall drops packets, or the API server is overloaded",
  untrusted: "set certificate-authority to the one that signed the server's certificate, or " +
    "tls-server-name to a name in it",
  unauthorized: "get a new token or certificate, as with kubectl auth whoami",
  "no-credential": "see that the files and the plugin that the kubeconfig names can be used",
  forbidden: "let authenticated users read /version (ClusterRole system:public-info-viewer)",
};

function failedServer(subject: string, { kind, message }: ClusterError): ClusterCheckLine {
  const isOurs = kind === "unauthorized" || kind === "no-credential";
  return {
    check: isOurs ? "credentials" : "server",
    subject,
    result: "failed",
    message,
    advice: serverAdvice[kind] ?? "see whether kubectl get --raw /version works",
  };
}

function serverLine(subject: string, release: string, tookMs: number): ClusterCheckLine {
  const minor = Number(/^v?1\.(\d+)/.exec(release)?.[1] ?? NaN);
  const message = `${release || "a release without a name"}, answers in ${tookMs} ms`;
  const common = { check: "server", subject, message } as const;
  return minor >= minorMin ? { ...common, result: "ok" } : {
    ...common,
    result: "warning",
    advice: `use Kubernetes 1.${minorMin} or later: what is older is not tested with weir`,
  };
}

function identityLine(answer: ClusterAnswer): ClusterCheckLine {
  const common = { check: "identity", subject: "" } as const;
  if (!answer.ok) {
    const { kind, message } = answer.error;
    return kind === "unauthorized"
      ? { ...common, result: "failed", message, advice: serverAdvice.unauthorized ?? "" }
      : {
        ...common,
        result: "warning",
        message: `unknown: ${message}`,
        advice: "nothing, if the other lines are right: weir does not need to know",
      };
  }
  const user = valueAt(answer.value, "status", "userInfo");
  const name = asString(valueAt(user, "username")) ?? "";
  const message = `"${name}"`;
  return asList(valueAt(user, "groups")).includes("system:masters")
    ? {
      ...common,
      result: "warning",
      message: `${message} may do everything (system:masters)`,
      advice: "run weir as the ServiceAccount that weir install prints",
    }
    : { ...common, result: "ok", message };
}

function clockLine(date: string | undefined, atMs: number): ClusterCheckLine {
  const common = { check: "clock", subject: "" } as const;
  const serverMs = Date.parse(date ?? "");
  if (Number.isNaN(serverMs)) {
    const message = "unknown: the API server tells no time (header Date)";
    return { ...common, result: "warning", message, advice: "see whether a proxy removes it" };
  }
  // The header has whole seconds, cut off.
  const skewMs = atMs - (serverMs + 500);
  const distanceMs = Math.abs(skewMs);
  const seconds = Math.round(distanceMs / 1000);
  if (distanceMs <= skewWarningMs) {
    return { ...common, result: "ok", message: "as the API server's, within seconds" };
  }
  return {
    ...common,
    result: distanceMs > skewMaxMs ? "failed" : "warning",
    message: `${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the API server's`,
    advice: "let this machine, or the API server's, follow a time server",
  };
}

/** The engine as a subsystem: its feed, its recomputes, its status writers and its pushes. */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import type { Config } from "../config/flags.ts";
import type { Acknowledgement, DataPlane } from "../dataplane/data_plane.ts";
import type { GatewayKey } from "../dataplane/model.ts";
import { ChangeLog } from "../gateway/change_log.ts";
import type { ConditionHistory } from "../gateway/explain/condition_history.ts";
import { followConditions } from "../gateway/explain/follow_conditions.ts";
import { DataPlanePush } from "../gateway/data_plane_push.ts";
import { conditionEvents } from "../gateway/condition_events.ts";
import type { EventRecorder } from "../gateway/event_recorder.ts";
import { isStatusKind, type StatusKind, statusKinds } from "../gateway/outputs.ts";
import { routeKinds } from "../gateway/route_kinds.ts";
import type { State } from "../gateway/state.ts";
import type { Kind } from "../kube/kinds.ts";
import type { KubeObject } from "../kube/object.ts";
import type { OwnsParent } from "../kube/entry_merge.ts";
import type { StatusWriteMetrics } from "../kube/status_client.ts";
import { StatusWriter } from "../kube/status_writer.ts";
import { isUnanswered, ownedParents } from "./answered_parents.ts";
import { tellGateways } from "./certificate_events.ts";
import { mountCertificates } from "./certificate_mount.ts";
import { createEngine, type Engine } from "./engine.ts";
import {
  mountEngineMetrics,
  mountRevisionMetrics,
  mountStatusMetrics,
} from "./engine_metrics_mount.ts";
import { createEventLog } from "./event_log.ts";
import { keepAcknowledgements } from "./kept_acknowledgements.ts";
import { runTogether, untilAborted } from "./run_together.ts";
import { StatusLog } from "./status_log.ts";
import { StrayEntries } from "./stray_entries.ts";
import type { Readiness, Subsystem } from "./subsystem.ts";
import type { World } from "./world.ts";

/** What the engine is mounted on. */
export interface GatewayMountOptions {
  readonly config: Config;
  readonly world: World;
  readonly dataPlane: DataPlane;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
}

/** The engine, running as one subsystem. */
export interface GatewayMount {
  readonly subsystem: Subsystem;
  readonly engine: Engine;
  /** The latest answer of the data plane for each Gateway that it still has. */
  readonly acknowledgements: ReadonlyMap<GatewayKey, Acknowledgement>;
  /** The latest changes of the outputs, with their causes. */
  readonly changes: ChangeLog;
  /** Since when each condition says what it says. */
  readonly history: ConditionHistory;
}

/** Kinds whose status holds entries, each of one controller. */
const entryKinds: readonly StatusKind[] = [...routeKinds, "BackendTLSPolicy"];

/** Builds it. The engine is part of the core: its failure ends the process. */
export function mountGateway(options: GatewayMountOptions): GatewayMount {
  const { config, world, dataPlane, registry, clock } = options;
  const log = options.log.child({ subsystem: "gateway" });
  const ownsParent = ownedParents(world, config);
  const strays = new Map<StatusKind, StrayEntries>(
    entryKinds.map((kind) => [kind, new StrayEntries(config.controllerName, ownsParent)]),
  );
  const writers = new Map<Kind, StatusWriter>();
  const engine = createEngine({
    settings: config,
    observe: (kind, object) => {
      if (isStatusKind(kind)) strays.get(kind)?.observe(object);
      writers.get(kind)?.observe(object);
    },
    source: world.source,
    clock,
    metrics: mountEngineMetrics(registry),
    quietMs: config.recomputeQuietMs,
    delayMaxMs: config.recomputeMaxMs,
    onProblem: ({ kind, key, reason }) => log.warn("Object refused", { kind, key, reason }),
    ...checkOptions(config, log),
  });
  const { state, feed } = engine;
  mountRevisionMetrics(registry, state);
  const { source, acknowledgements } = keepAcknowledgements(engine);
  const push = new DataPlanePush(source, dataPlane, clock, options.random);
  const changes = new ChangeLog(
    (revision, listedMax) => engine.inputChanges.take(revision, listedMax),
    () => clock.now(),
  );
  state.onCommit((changed, outputs) => {
    for (const [kind, found] of strays) {
      state.statusEvents(kind).enqueue(found.take(outputs.statuses[kind]));
    }
    changes.record(changed, outputs);
  });
  const history = followConditions(state, clock);
  const statusLog = new StatusLog(log, clock, () => state.outputs);
  state.onCommit((changes) => statusLog.onCommit(changes));
  const events = createEventLog(log, registry, world.events);
  const recorder = world.events ? tellGateways(events, state) : events;
  const certificates = mountCertificates({ state, config, registry, clock, recorder });
  const isAnswerComing = () => push.isBusy || !state.isSettled;
  const parts = { log, metrics: mountStatusMetrics(registry), ownsParent, isAnswerComing, events };
  for (const kind of statusKinds) {
    writers.set(kind, createStatusWriter(kind, options, state, parts));
  }
  const subsystem: Subsystem = {
    name: "gateway",
    onFailure: "core",
    async run(signal) {
      await untilAborted(world.loaded, signal);
      if (signal.aborted) return;
      await runTogether(signal, [
        (either) => state.run(either),
        (either) => push.run(either),
        ...[...writers.values()].map((writer) => (either: AbortSignal) => writer.run(either)),
        (either) => statusLog.run(either),
        (either) => certificates.run(either),
        (either) => feed.run(either),
      ]);
    },
    ready: () => readiness(state, push),
  };
  return { subsystem, engine, acknowledgements, changes, history };
}

/** What is found is a fault of ours, never of an object. */
function checkOptions(
  { checkIncremental }: Config,
  log: Logger,
): { readonly onDifference?: (path: string) => void } {
  if (!checkIncremental) return {};
  return {
    onDifference: (path) =>
      log.error("Outputs differ from a computation from scratch, all is computed anew", { path }),
  };
}

function readiness(state: State, push: DataPlanePush): Readiness {
  if (!state.hasPublished) {
    return { ready: false, reason: `waiting for ${state.unsyncedKinds.join(", ") || "outputs"}` };
  }
  if (push.appliedRevision === undefined) {
    return { ready: false, reason: "waiting for the data plane's first configuration" };
  }
  return { ready: true, reason: `revision ${state.outputs.revision}` };
}

function createStatusWriter(
  kind: StatusKind,
  { config, world, clock, random }: GatewayMountOptions,
  state: State,
  { log, metrics, ownsParent, isAnswerComing, events }: {
    readonly log: Logger;
    readonly events: EventRecorder;
    readonly metrics: StatusWriteMetrics;
    readonly ownsParent: OwnsParent;
    readonly isAnswerComing: () => boolean;
  },
): StatusWriter {
  const onWritten = (before: KubeObject, after: KubeObject): void => {
    for (const event of conditionEvents(kind, before, after, config.controllerName)) {
      events.record(event);
    }
  };
  return new StatusWriter({
    kind,
    controllerName: config.controllerName,
    source: { start: (queue) => void state.statusEvents(kind).start(queue) },
    outputs: {
      desired: (_kind, key) => state.outputs.statuses[kind].get(key),
      revision: () => state.outputs.revision,
      isAnswerComing,
    },
    client: world.statusClient,
    gate: world.gate,
    permits: world.permits,
    metrics,
    log,
    clock,
    random,
    ownsParent,
    isUnanswered: (object) => isUnanswered(world, object),
    ...world.events ? { onWritten } : {},
  });
}

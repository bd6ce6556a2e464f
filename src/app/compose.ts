/**
 * The composition root: lists the subsystems of the process and what each is given.
 *
 * It alone knows everything and decides nothing else. Features are asked here and nowhere deeper: a
 * feature that is off is not constructed, has no routes, and readiness lists it as off.
 */

import { MetricsRegistry } from "../base/metrics.ts";
import { enabledFeatures, type FeatureName, featureNames } from "../config/features.ts";
import type { Config } from "../config/flags.ts";
import type { State } from "../gateway/state.ts";
import { registerProcessMetrics } from "../http/process_metrics.ts";
import { mountApiAccess } from "./api_access.ts";
import { type DataPlaneMount, mountDataPlane } from "./data_plane_mount.ts";
import { type GatewayMount, mountGateway } from "./gateway_mount.ts";
import { type HttpMount, mountHttp } from "./http_mount.ts";
import { createChangesView } from "./changes_view.ts";
import { createDiagnosticsReader } from "./diagnostics_view.ts";
import { createExplainView } from "./explain_mount.ts";
import type { ForkBase } from "./fork_base.ts";
import { mountKubeApi } from "./kube_api_mount.ts";
import { mountCluster } from "./cluster_mount.ts";
import { createLocalSchemas, type LocalSchemas } from "./local_schemas.ts";
import { mountLocalEvents } from "./local_events.ts";
import type { LocalWorld } from "./local_world.ts";
import { createManifestsWorld } from "./manifests_world.ts";
import { createPlanView } from "./plan_mount.ts";
import { toProxyState } from "./proxy_view.ts";
import { SubsystemRunner } from "./run_all.ts";
import { createStateView } from "./state_view.ts";
import type { Subsystem } from "./subsystem.ts";
import type { Surroundings } from "./surroundings.ts";
import type { World } from "./world.ts";

/** A process that is built and not yet started. */
export interface Composition {
  readonly runner: SubsystemRunner;
  /** All metrics of what is switched on. */
  readonly metrics: MetricsRegistry;
  /** In the order of their start. */
  readonly subsystems: readonly Subsystem[];
  /** Where the HTTP API answers; undefined before it listens. */
  apiUrl(): string | undefined;
  /** Where the Kubernetes API answers; undefined before it listens, and without it. */
  kubeUrl(): string | undefined;
  /** The revision in service; 0 without the engine. */
  revision(): number;
}

/** Builds what `config` asks for. Nothing runs, listens or reads before the runner runs. */
export function compose(config: Config, surroundings: Surroundings): Composition {
  const { clock, log, random, newId, version } = surroundings;
  const enabled = enabledFeatures(config.features);
  const registry = new MetricsRegistry();
  registerProcessMetrics(registry, clock.now(), version);
  const runner = new SubsystemRunner({
    clock,
    log,
    random,
    drainTimeoutMs: config.drainTimeoutMs,
    off: featureNames.filter((name) => !enabled.has(name)),
  });
  const schemas = createLocalSchemas();
  const parts = enabled.has("gateway")
    ? composeGateway(config, surroundings, { registry, enabled, schemas })
    : undefined;
  const epoch = newId().slice(0, 8);
  const api = mountHttp({
    config,
    access: mountApiAccess({
      config,
      cluster: surroundings.cluster,
      readText: surroundings.readTextFile,
      registry,
      clock,
      log,
    }),
    version,
    readiness: { checks: () => runner.readiness().checks },
    ...viewsOf(parts, config, surroundings, epoch),
    hasMetrics: enabled.has("metrics"),
    registry,
    clock,
    log,
  });
  const kubeApi = parts?.local && enabled.has("local-api")
    ? mountKubeApi({
      config,
      cluster: parts.local.cluster,
      schemas,
      isReady: isLoaded(parts.local),
      readText: surroundings.readTextFile,
      mayWrite: surroundings.mayWriteFile,
      writeSecret: surroundings.writeSecretFile,
      ...{ registry, version, random, clock, log, newUid: newId },
    })
    : undefined;
  return {
    runner,
    metrics: registry,
    subsystems: [...subsystemsOf(api, parts), ...kubeApi ? [kubeApi.subsystem] : []],
    apiUrl: api.url,
    kubeUrl: () => kubeApi?.url(),
    revision: () => parts?.gateway.engine.state.outputs.revision ?? 0,
  };
}

/** What the parts of the process share. */
interface Shared {
  readonly registry: MetricsRegistry;
  readonly enabled: ReadonlySet<FeatureName>;
  readonly schemas: LocalSchemas;
}

/** Everything that the gateway feature brings. */
interface GatewayParts {
  readonly world: World;
  /** Present when the world is weir's own. */
  readonly local: LocalWorld | undefined;
  readonly gateway: GatewayMount;
  readonly dataPlane: DataPlaneMount;
}

function composeGateway(
  config: Config,
  surroundings: Surroundings,
  shared: Shared,
): GatewayParts {
  const { clock, log, random } = surroundings;
  const { registry, enabled } = shared;
  const { world, local } = composeWorld(config, surroundings, shared);
  const hasProxy = enabled.has("proxy");
  const dataPlane = mountDataPlane({ config, surroundings, registry, hasProxy });
  const gateway = mountGateway({
    config,
    world,
    dataPlane: dataPlane.dataPlane,
    registry,
    clock,
    log,
    random,
  });
  return { world, local, gateway, dataPlane };
}

/** The cluster that was opened, or else the local one with its manifests. */
function composeWorld(
  config: Config,
  { clock, log, random, newId, version, cluster, standardInputText }: Surroundings,
  { registry, enabled, schemas }: Shared,
): Pick<GatewayParts, "world" | "local"> {
  if (cluster) {
    const world = mountCluster({ config, cluster, enabled, registry, clock, random, newId, log });
    return { world, local: undefined };
  }
  const world = createManifestsWorld({
    ...{ config, registry, clock, log, newId },
    ...(standardInputText === undefined ? {} : { standardInputText }),
  });
  const { local } = world;
  if (!enabled.has("local-api")) return { world, local };
  const around = { config, schemas, registry, clock, random, newId, version, log };
  const events = mountLocalEvents({ cluster: local.cluster, ...around });
  const subsystems = [...world.subsystems, events.subsystem];
  return { world: { ...world, events: events.recorder, subsystems }, local };
}

function isLoaded({ loader }: LocalWorld): () => boolean {
  return () => loader.hasSynced;
}

/** The API first, so that health answers early; what uses others comes after them. */
function subsystemsOf(api: HttpMount, parts: GatewayParts | undefined): readonly Subsystem[] {
  if (!parts) return [api.subsystem];
  const { world, gateway, dataPlane } = parts;
  return [
    api.subsystem,
    ...world.subsystems,
    ...dataPlane.subsystems,
    gateway.subsystem,
  ];
}

function forkBaseOf(world: World, { inputs }: State): ForkBase {
  const apiBundle = inputs.apiBundle();
  return { ...world.forkBase(), ...apiBundle === undefined ? {} : { apiBundle } };
}

const noViews = {
  state: undefined,
  proxy: undefined,
  explain: undefined,
  plan: undefined,
  changes: undefined,
};

function viewsOf(
  parts: GatewayParts | undefined,
  config: Config,
  { clock, log, startPlanThread }: Surroundings,
  epoch: string,
) {
  if (!parts) return noViews;
  const { world, gateway, dataPlane } = parts;
  const { state, feed } = gateway.engine;
  const refused = () =>
    feed.problems().map(({ kind, key, reason }) => ({
      source: "",
      object: `${kind} ${key}`,
      field: "",
      message: reason,
    }));
  return {
    state: createStateView({
      cluster: world.objects,
      epoch,
      revision: () => state.revision,
      problems: () => [...world.problems.list(), ...refused()],
      diagnostics: createDiagnosticsReader(state, clock, config.certificateWarningDays),
      problemCount: () => world.problems.count() + feed.problems().length,
    }),
    proxy: {
      state: () =>
        toProxyState({
          config: state.outputs.dataPlane,
          acknowledgements: gateway.acknowledgements,
          epoch,
          dataPlane: dataPlane.dataPlane.name,
        }),
    },
    explain: createExplainView({
      ...{ gateway, cluster: world.objects, unread: world.unread, config, clock, epoch },
    }),
    changes: createChangesView(gateway.changes, epoch),
    plan: createPlanView({
      cluster: world.objects,
      state,
      settings: config,
      base: () => forkBaseOf(world, state),
      startThread: startPlanThread,
      clock,
      log: log.child({ subsystem: "api" }),
      epoch,
    }),
  };
}

/**
 * What `weir translate -o json` prints, as far as the golden cases read it.
 *
 * Written from the published contract of the command, not from its code: a field that is renamed
 * there breaks a script of somebody, and the cases here first.
 */

/** See the file's header. */
export interface TranslateResult {
  readonly revision: unknown;
  readonly statuses: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly namespace?: string; readonly name: string };
    readonly status: Status;
  }[];
  readonly gateways: readonly unknown[];
  readonly proxy: {
    readonly gateways: readonly ProxyGateway[];
    readonly clusters: readonly Cluster[];
  };
  readonly problems: readonly {
    readonly source: string;
    readonly object: string;
    readonly field: string;
    readonly message: string;
  }[];
}

/** A condition of the API without a time. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
}

/** The status of any kind. */
export interface Status {
  readonly conditions?: readonly Condition[];
  readonly addresses?: readonly { readonly type?: string; readonly value: string }[];
  readonly attachedListenerSets?: number;
  readonly supportedFeatures?: readonly { readonly name: string }[];
  readonly listeners?: readonly {
    readonly name: string;
    readonly attachedRoutes: number;
    readonly supportedKinds: readonly { readonly group?: string; readonly kind: string }[];
    readonly conditions: readonly Condition[];
  }[];
  readonly parents?: readonly {
    readonly parentRef: ParentReference;
    readonly controllerName: string;
    readonly conditions: readonly Condition[];
  }[];
  readonly ancestors?: readonly {
    readonly ancestorRef: ParentReference;
    readonly controllerName: string;
    readonly conditions: readonly Condition[];
  }[];
}

/** Whom a route attaches to, or through whom a policy has an effect. */
export interface ParentReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
  readonly port?: number;
}

/** One Gateway of the proxy configuration. */
export interface ProxyGateway {
  readonly namespace: string;
  readonly name: string;
  readonly addresses: readonly string[];
  readonly clientCertificate?: string;
  readonly listeners: readonly {
    readonly name: string;
    /** The Gateway or ListenerSet whose spec it stands in. */
    readonly owner: { readonly kind: string; readonly namespace: string; readonly name: string };
    readonly protocol: string;
    readonly port: number;
    readonly hostname?: string;
    readonly certificates?: readonly { readonly name: string }[];
    readonly clientValidation?: string;
    readonly routes: readonly RouteEntry[];
    readonly streams: readonly StreamEntry[];
  }[];
}

/** The rule of a TLSRoute, TCPRoute or UDPRoute, for one hostname. */
export interface StreamEntry {
  readonly route: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly hostname?: string;
  readonly backends: readonly { readonly weight: number; readonly cluster?: string }[];
}

/** One match of one rule. */
export interface RouteEntry {
  readonly route: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly ruleIndex: number;
  readonly matchIndex: number;
  readonly hostname?: string;
  readonly match: {
    readonly path: { readonly type: string; readonly value: string };
    readonly method?: string;
    readonly headers: readonly ValueMatch[];
    readonly queryParams: readonly ValueMatch[];
  };
  readonly filters: readonly Filter[];
  readonly backends: readonly {
    readonly weight: number;
    readonly cluster?: string;
    readonly filters: readonly Filter[];
  }[];
  readonly requestTimeoutMs?: number;
  readonly backendRequestTimeoutMs?: number;
  readonly retry?: object;
  readonly sessionPersistence?: object;
}

/** A header or a query parameter that must match. */
export interface ValueMatch {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** A filter with whatever it holds. */
export interface Filter {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The ready endpoints of one Service port. */
export interface Cluster {
  readonly name: string;
  readonly service: { readonly namespace: string; readonly name: string };
  readonly port: number;
  readonly endpoints: readonly { readonly address: string; readonly port: number }[];
  readonly addressType?: string;
  readonly appProtocol?: string;
  readonly tls?: {
    readonly hostname: string;
    readonly subjectAltNames: readonly { readonly type: string; readonly value: string }[];
    readonly trust: string;
  };
}

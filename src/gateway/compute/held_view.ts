/** A view that also passes on reads of what data planes have answered. */

import type { Refusal } from "../../dataplane/data_plane.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { Frame } from "../gateway_frame.ts";
import type { HeldGateway, HeldReader, HeldRoute, InputReader } from "../input_reader.ts";
import type { RouteId } from "../route_kinds.ts";
import { type ComputeSettings, InputView } from "./input_view.ts";

/** See the file's header. */
export class HeldView extends InputView implements HeldReader {
  readonly #held: HeldReader;

  constructor(reader: InputReader & HeldReader, settings: ComputeSettings) {
    super(reader, settings);
    this.#held = reader;
  }

  held(gateway: ObjectKey): HeldGateway | undefined {
    return this.#held.held(gateway);
  }

  heldFrame(gateway: ObjectKey): Frame | undefined {
    return this.#held.heldFrame(gateway);
  }

  heldRefusals(gateway: ObjectKey): readonly Refusal[] {
    return this.#held.heldRefusals(gateway);
  }

  heldRoute(gateway: ObjectKey, route: RouteId): HeldRoute | undefined {
    return this.#held.heldRoute(gateway, route);
  }
}

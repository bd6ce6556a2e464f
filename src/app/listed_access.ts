/** Access to the HTTP API by a file of tokens; without one, everybody is unknown. */

import {
  type AccessAction,
  type AccessControl,
  type AccessVerdict,
  refuseAction,
  unknownToken,
} from "../auth/access.ts";
import { readBearerToken } from "../auth/bearer_token.ts";
import { type Authenticator, mayDoAtPath } from "../localkube/api/access.ts";

/** See the file's header. */
export class ListedAccess implements AccessControl {
  /** The users of the file, once it was read. */
  users: Authenticator | undefined;

  async check(authorizations: readonly string[], action: AccessAction): Promise<AccessVerdict> {
    const bearer = readBearerToken(authorizations);
    if ("refusal" in bearer) return bearer.refusal;
    const user = await this.users?.identify(`Bearer ${bearer.token}`);
    if (!user) return unknownToken;
    const { name, groups } = user;
    const caller = { name, groups, extra: {} };
    return mayDoAtPath(user, action) ? { allowed: true, caller } : refuseAction(caller, action);
  }
}

/**
 * The type of the app, for those who build it and those who serve it.
 */

import type { Hono } from "hono";

/** What is known of the matched route after the answer. */
export interface AppVariables {
  /** The path pattern; unset when none matched. */
  route?: string;
}

/** The app's type for Hono. */
export type HttpApp = Hono<{ Variables: AppVariables }>;

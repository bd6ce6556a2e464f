/**
 * Who weir is in `metadata.managedFields`: one name for each concern, so that what one of them no
 * longer says goes, and what another says stays.
 *
 * A manager says all that it has to say in each apply. Two places that apply different parts under one
 * name would take turns in removing each other's. The names are for ever: under a new one, what the
 * old one said would never go.
 */

/** What is said of the status of objects that people made: Gateway, GatewayClass, ListenerSet. */
export const statusFieldManager = "weir.dev/status";

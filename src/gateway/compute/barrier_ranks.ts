/**
 * The order of the queries that are barriers: each reads, through others, only those of lower ranks.
 */

/** The lower rank is verified first. */
export const barrierRanks = {
  ownListeners: 0,
  servicePorts: 0,
  portLosers: 1,
  hostRivals: 1,
  portLosses: 2,
} as const;

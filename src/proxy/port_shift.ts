/**
 * Where to listen when the port of the specification may not be bound.
 *
 * The rule: port + shift; when that is above 65535, it is folded into 1024 to 65535; from there on
 * upwards the first port that browsers may talk to and that nobody asked for by name. So 80 becomes
 * 18080 and 443 becomes 18443 with the usual shift.
 */

const PORT_MAX = 65_535;
const PORT_UNPRIVILEGED_MIN = 1_024;

/** How many ports are tried for one listener before it is refused. */
export const SHIFTED_PORTS_MAX = 16;

/**
 * The ports to try in this order instead of `port`.
 *
 * @param shift 0: never listen elsewhere
 * @param isReserved ports that a specification names for the same address
 */
export function shiftedPorts(
  port: number,
  shift: number,
  isReserved: (port: number) => boolean,
): number[] {
  const ports: number[] = [];
  if (shift <= 0) return ports;
  let candidate = fold(port + shift);
  for (let step = 0; step < PORT_MAX && ports.length < SHIFTED_PORTS_MAX; step++) {
    if (candidate !== port && !BAD_PORTS.has(candidate) && !isReserved(candidate)) {
      ports.push(candidate);
    }
    candidate = fold(candidate + 1);
  }
  return ports;
}

function fold(port: number): number {
  if (port <= PORT_MAX) return port;
  return PORT_UNPRIVILEGED_MIN + port % (PORT_MAX - PORT_UNPRIVILEGED_MIN + 1);
}

/** Ports that browsers refuse to talk to (Fetch standard, "bad port"), from 1024 up. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1719,
  1720,
  1723,
  2049,
  3659,
  4045,
  4190,
  5060,
  5061,
  6000,
  6566,
  6665,
  6666,
  6667,
  6668,
  6669,
  6679,
  6697,
  10080,
]);

/** Times of the Kubernetes API with a fraction of a second. */

/** RFC 3339 in UTC with six digits of a second (`metav1.MicroTime`); of `epochMs` milliseconds. */
export function toMicroTime(epochMs: number): string {
  const iso = new Date(Math.floor(epochMs)).toISOString();
  // Rounded: a thousandth cannot be told exactly beside so large a number.
  const micros = Math.min(999, Math.round((epochMs - Math.floor(epochMs)) * 1000));
  return `${iso.slice(0, -1)}${String(micros).padStart(3, "0")}Z`;
}

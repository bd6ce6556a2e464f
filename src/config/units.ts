/** Units in which limits of flags are written: times in milliseconds, sizes in bytes. */

/** 1,000 milliseconds. */
export const second = 1000;
/** 60 seconds. */
export const minute = 60 * second;
/** 60 minutes. */
export const hour = 60 * minute;
/** 1,024 bytes. */
export const kibibyte = 1024;
/** 1,024 kibibytes. */
export const mebibyte = 1024 * kibibyte;
/** 1,024 mebibytes. */
export const gibibyte = 1024 * mebibyte;

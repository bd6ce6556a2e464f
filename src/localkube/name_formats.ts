/**
 * The formats of names, label keys and label values, with the API server's explanations.
 *
 * Texts and expressions are those of `k8s.io/apimachinery` (package `util/validation`); a person
 * who searches for the message finds the same advice as for a real cluster. Every function returns
 * what is wrong, or nothing. Lengths are checked before expressions, so that no expression sees
 * unbounded input.
 */

interface Format {
  readonly pattern: RegExp;
  readonly lengthMax: number;
  readonly advice: string;
}

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const dns1035Label = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualifiedPart = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValue = `(${qualifiedPart})?`;

function format(
  expression: string,
  lengthMax: number,
  rule: string,
  examples: readonly string[],
): Format {
  // The API server joins its examples with a comma and " or ", which leaves two spaces.
  const listed = examples.map((example) => `'${example}', `).join(" or ");
  return {
    pattern: new RegExp(`^${expression}$`),
    lengthMax,
    advice: `${rule} (e.g. ${listed}regex used for validation is '${expression}')`,
  };
}

const subdomainFormat = format(
  dnsSubdomain,
  253,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
    "and must start and end with an alphanumeric character",
  ["example.com"],
);
const labelFormat = format(
  dnsLabel,
  63,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    "and must start and end with an alphanumeric character",
  ["my-name", "123-abc"],
);
const serviceFormat = format(
  dns1035Label,
  63,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
    "start with an alphabetic character, and end with an alphanumeric character",
  ["my-name", "abc-123"],
);
const keyNameFormat = format(
  qualifiedPart,
  63,
  "name part must consist of alphanumeric characters, '-', '_' or '.', " +
    "and must start and end with an alphanumeric character",
  ["MyName", "my.name", "123-abc"],
);
const labelValueFormat = format(
  labelValue,
  63,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
    "and must start and end with an alphanumeric character",
  ["MyValue", "my_value", "12345"],
);

function check(value: string, { pattern, lengthMax, advice }: Format): readonly string[] {
  if (value.length > lengthMax) return [`must be no more than ${lengthMax} bytes`];
  return pattern.test(value) ? [] : [advice];
}

/** What is wrong with the name of most objects (RFC 1123 subdomain). */
export function checkSubdomain(name: string): readonly string[] {
  return check(name, subdomainFormat);
}

/** What is wrong with the name of a Namespace (RFC 1123 label). */
export function checkLabel(name: string): readonly string[] {
  return check(name, labelFormat);
}

/** What is wrong with the name of a Service (RFC 1035 label). */
export function checkServiceName(name: string): readonly string[] {
  return check(name, serviceFormat);
}

/** What is wrong with the value of a label. */
export function checkLabelValue(value: string): readonly string[] {
  return check(value, labelValueFormat);
}

/** What is wrong with the key of a label or annotation: `[prefix/]name`. */
export function checkQualifiedName(key: string): readonly string[] {
  const parts = key.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) {
    return [
      `a qualified name ${keyNameFormat.advice.slice("name part ".length)}` +
      " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  }
  const problems: string[] = [];
  if (second !== undefined) {
    if (first === "") problems.push("prefix part must be non-empty");
    else problems.push(...checkSubdomain(first).map((text) => `prefix part ${text}`));
  }
  const name = second ?? first;
  if (name === "") problems.push("name part must be non-empty");
  if (name.length > keyNameFormat.lengthMax) {
    problems.push(`name part must be no more than ${keyNameFormat.lengthMax} bytes`);
  } else problems.push(...check(name, keyNameFormat));
  return problems;
}

/** What the quickstart tells a person to try, from where the process really listens. Pure. */

/** A bound listener, as `/api/v1/proxy` tells it. */
export interface BoundAddress {
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
}

/** Command lines with what they show. Each works when it is copied into a shell. */
export interface TryLine {
  readonly purpose: string;
  readonly command: string;
}

/** The list for the bundled example. `folder` is where its manifests are. */
export function tryLines(
  apiUrl: string,
  bound: readonly BoundAddress[],
  folder: string,
): readonly TryLine[] {
  const api = apiUrl.replace(/\/$/, "");
  const http = bound.find(({ protocol }) => protocol === "HTTP");
  const https = bound.find(({ protocol }) => protocol === "HTTPS");
  const lines: TryLine[] = [];
  if (http) {
    const url = `http://${hostPort(http)}/`;
    lines.push(
      {
        purpose: "a canary: about one answer in ten comes from v2",
        command: `for i in 1 2 3 4 5 6 7 8 9 10; do curl -s -H 'Host: shop.example.com' ` +
          `${url} | grep backend; done`,
      },
      {
        purpose: "the new version, asked for by a header",
        command: `curl -si -H 'Host: shop.example.com' -H 'x-version: v2' ${url}`,
      },
      {
        purpose: "a redirect that keeps path and query",
        command: `curl -si -H 'Host: old.example.com' '${url}cart?item=1'`,
      },
    );
  }
  if (https) {
    lines.push({
      purpose: "the same shop over TLS; -k, because the development authority is nobody's friend",
      command: `curl -sk --connect-to ::${hostPort(https)} https://shop.example.com/`,
    });
  }
  lines.push(
    {
      purpose: "who serves a request, and why nobody else",
      command: `npx -y deno@2.9.6 task -q weir explain --api ${api} --host shop.example.com ` +
        `--path /cart --port 8080 --header x-version:v2`,
    },
    { purpose: "all that is served, route by route", command: `curl -s ${api}/api/v1/proxy` },
    {
      purpose: "a route with its status",
      command: `curl -s ${api}/api/v1/state/httproute/default/shop`,
    },
    {
      purpose: `now edit ${folder}/shop.yaml (say, weights 50 and 50), save, and ask again`,
      command: `for i in 1 2 3 4 5 6 7 8 9 10; do curl -s -H 'Host: shop.example.com' ` +
        `${http ? `http://${hostPort(http)}/` : api} | grep backend; done`,
    },
  );
  return lines;
}

/** The list as text for a terminal. */
export function formatTryLines(lines: readonly TryLine[]): string {
  const body = lines.map(({ purpose, command }) => `# ${purpose}\n${command}\n`).join("\n");
  return `\nTry, in another terminal:\n\n${body}\nCtrl-C ends everything.\n`;
}

function hostPort({ address, port }: BoundAddress): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}

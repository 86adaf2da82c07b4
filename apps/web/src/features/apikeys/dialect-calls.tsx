// Every call of the dialect, as the exchange itself lists them: purpose, parameters, cost.
import type { DialectCall } from "@clockwork/identity/apikeys/contract";
import { usePublicText } from "#words/public-text.ts";

const GROUPS = [
  ["spot", "/api/"],
  ["linear", "/fapi/"],
  ["inverse", "/dapi/"],
  ["wallet", "/sapi/"],
] as const;

export function CallTables({ calls }: { readonly calls: readonly DialectCall[] }) {
  const text = usePublicText();
  const head = "border-line border-b py-2 pr-6 text-left font-normal text-label text-muted";
  const cell = "whitespace-nowrap border-line border-b py-1.5 pr-6 text-[13px]";
  const asks = ({ security, permission }: DialectCall): string => {
    if (security === "none") return text("public.dialect.open");
    return security === "key"
      ? text("public.dialect.keyed")
      : text("public.dialect.signed", { permission: permission ?? "read" });
  };
  return GROUPS.map(([name, start]) => (
    <details key={name} className="border-line border-b py-3">
      <summary className="cursor-pointer font-medium text-[15px]">
        {text("public.dialect.group", {
          name: text(`public.dialect.${name}`),
          count: calls.filter(({ path }) => path.startsWith(start)).length,
        })}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="mt-3 overflow-x-auto" tabIndex={0}>
        <table className="w-full">
          <thead>
            <tr>
              <th className={head}>{text("public.dialect.call")}</th>
              <th className={head}>{text("public.dialect.asks")}</th>
              <th className={`${head} pr-0 text-right`}>{text("public.dialect.weight")}</th>
            </tr>
          </thead>
          <tbody>
            {calls
              .filter(({ path }) => path.startsWith(start))
              .map((call) => (
                <tr key={`${call.method} ${call.path}`}>
                  <td className={`${cell} font-mono`}>
                    <span className="inline-block w-16 text-muted">{call.method}</span>
                    {call.path}
                  </td>
                  <td className={cell}>{asks(call)}</td>
                  <td className={`${cell} figures pr-0 text-right`}>{call.weight ?? text("public.dialect.varies")}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </details>
  ));
}

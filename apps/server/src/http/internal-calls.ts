// Calls of routes from inside the process, with the caller given explicitly: for other dialects of the API, which
// identify callers in their own way. The same schemas, scopes, limits and handlers as over HTTP, without socket and
// serialisation.
import type { Call, CallAnswer, CallInput, Calls } from "@clockwork/host/call";
import type { Refusal } from "@clockwork/host/refusal";
import type { FastifySchemaValidationError } from "fastify";
import type { Admission } from "./call.ts";
import type { QuickRoute } from "./quick-route.ts";
import { refusalOf } from "./refusal.ts";

export interface InternalCalls extends Calls {
  /** Every mounted route is offered once. */
  offer(route: QuickRoute): void;
}

type Part = "query" | "params" | "body";
type Validate = ((value: unknown) => unknown) & { errors?: readonly FastifySchemaValidationError[] | null };
interface Offered {
  readonly route: QuickRoute;
  /** Made at the first call: most routes are never called from inside. */
  checks?: readonly (readonly [Part, Validate])[];
}

const PARTS: readonly Part[] = ["query", "params", "body"];

export function internalCalls(): InternalCalls {
  // By route, then by method: both are constants of their callers, a name made of them would be a new text each time.
  const offered = new Map<string, Map<string, Offered>>();
  return {
    offer(route) {
      const methods = offered.get(route.url) ?? new Map<string, Offered>();
      offered.set(route.url, methods.set(route.spec.method, { route }));
    },
    // Not async: every promise between a call and its answer is paid for by each of them.
    call(requested) {
      const { requestId: id, address, caller, headers = {}, route: url } = requested;
      const found = offered.get(requested.route)?.get(requested.method);
      if (found === undefined)
        return Promise.reject(new Error(`no route ${requested.method} ${requested.route} is mounted`));
      const { query = {}, params = {}, body } = requested;
      const input: CallInput = { query, params, body };
      const { responder } = found.route;
      const call: Call = { id, address, caller, headers, url, isInProcess: true };
      const answer = (admission: Admission): Promise<CallAnswer> => {
        const wrong = admission.refusal === undefined ? findWrong(found, input) : undefined;
        return wrong === undefined ? responder.answer(call, admission, input) : Promise.resolve({ refusal: wrong });
      };
      const admission = responder.admit(call);
      return admission instanceof Promise ? admission.then(answer) : answer(admission);
    },
  };
}

function findWrong(offered: Offered, input: CallInput): Refusal | undefined {
  offered.checks ??= compileChecks(offered.route);
  for (const [part, validate] of offered.checks) {
    if (validate(input[part]) === true) continue;
    const validationContext = part === "query" ? "querystring" : part;
    return refusalOf({ validation: validate.errors ?? [], validationContext });
  }
  return undefined;
}

function compileChecks({ app, spec, url, schemas }: QuickRoute): readonly (readonly [Part, Validate])[] {
  return PARTS.flatMap((part) => {
    const schema = schemas[part];
    if (schema === undefined) return [];
    const httpPart = part === "query" ? "querystring" : part;
    const validate = app.validatorCompiler?.({ schema, method: spec.method, url, httpPart });
    if (validate === undefined) throw new Error(`${spec.method} ${url} has no validator`);
    return [[part, validate as Validate] as const];
  });
}

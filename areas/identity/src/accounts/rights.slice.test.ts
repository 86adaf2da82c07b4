// Administrators over HTTP and on both databases: they cannot remove each other concurrently, and a start makes no
// administrator because others have left.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { present } from "@clockwork/kit/assert";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approve, enterAsOperator, proposeRole, TWO_OPERATORS } from "./operator-fixture.ts";

const CONSOLE = "/v2/operators";

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "rights", (database) => {
    let folder: string;
    let server: TestServer;
    let both: readonly Visitor[];
    const open = (environment: Readonly<Record<string, string>> = {}) => {
      const url = database.options().url;
      const own = url === undefined ? {} : { DATABASE_URL: url };
      return startTestServer({ ...own, CW_DATA: folder, ...TWO_OPERATORS, ...environment });
    };
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "cw-rights-"));
      server = await open();
      both = [(await enterAsOperator(server, 0)).operator, (await enterAsOperator(server, 1)).operator];
    });
    afterAll(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });
    const kysely = () => present(server.kysely, "OPS-1", "no database");
    const admins = async () =>
      (await sql<{ user_id: number }>`select user_id from operators_role where role = 'admin'`.execute(kysely())).rows;
    const idOf = async (visitor: Visitor): Promise<string> => (await visitor.post("/v2/users/top-info")).data.id;

    test("[OPS-1] two administrators who revoke each other concurrently leave one of them", async () => {
      const ids = await Promise.all(both.map(idOf));
      for (const id of ids) {
        await sql`insert into operators_role values (${Number(id)}, 'auditor', 0, 0)`.execute(kysely());
      }
      for (let round = 0; round < 8; round += 1) {
        const answers = await Promise.all(
          both.map((one, at) => one.post(`${CONSOLE}/revoke`, { user: ids[1 - at], role: "admin" })),
        );
        expect(await admins()).toHaveLength(1);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
        for (const id of ids) {
          await sql`insert into operators_role values (${Number(id)}, 'admin', 0, 0) on conflict do nothing`.execute(
            kysely(),
          );
        }
      }
      expect((await both[0]?.get(`${CONSOLE}/audit`))?.data.tamperedAt).toBeNull();
    });

    test("[OPS-1] the last administrator remains, whoever removes them and however concurrently", async () => {
      const operator = present(both[0], "OPS-1", "no operator");
      const me = await idOf(operator);
      await sql`delete from operators_role where role = 'admin' and user_id <> ${Number(me)}`.execute(kysely());
      const answers = await Promise.all(
        [1, 2, 3].map(() => operator.post(`${CONSOLE}/revoke`, { user: me, role: "admin" })),
      );
      expect(answers.map(({ code }) => code)).toEqual(Array(3).fill("LAST_ADMIN"));
      expect(await admins()).toHaveLength(1);
    });

    test("[OPS-1] a start makes no administrator because none is left", async () => {
      await sql`delete from operators_role where role = 'admin'`.execute(kysely());
      await server.close();
      server = await open();
      expect(await admins()).toEqual([]);
      expect(server.announced).toEqual([]);
    });

    test("[OPS-1] a newly configured address gets an account once; an existing account gets nothing", async () => {
      const joe = new Visitor(server);
      await joe.signUp("joe@example.com");
      const named = { CW_OPERATOR_EMAIL: "operator@clockwork.local,new@clockwork.local,JOE@example.com" };
      for (const announced of [1, 0]) {
        await server.close();
        server = await open(named);
        expect(server.announced).toHaveLength(announced);
        expect(await admins()).toHaveLength(1);
        await sql`delete from operators_role where role = 'admin' and ${announced} = 0`.execute(kysely());
      }
      await server.close();
      server = await open(named);
      expect(await admins()).toEqual([]);
    });
  });
}

test("[OPS-1] a role is granted by two administrators, to neither of them, and only while both still are", async () => {
  const server = await startTestServer(TWO_OPERATORS);
  try {
    const first = (await enterAsOperator(server, 0)).operator;
    const second = (await enterAsOperator(server, 1)).operator;
    const ria = new Visitor(server);
    await ria.signUp("ria@example.com");
    const roles = async () => (await ria.get(`${CONSOLE}/me`)).data?.roles ?? [];
    const own = await proposeRole(first, "operator@clockwork.local", "compliance");
    expect([own.status, own.code]).toEqual([403, "BENEFICIARY_DECIDES"]);
    const made = await proposeRole(first, "ria@example.com", "support");
    expect(made.data.state).toBe("PROPOSED");
    expect((await approve(first, made)).code).toBe("PROPOSER_IS_APPROVER");
    expect((await approve(ria, made)).code).toBe("FORBIDDEN");
    expect(await roles()).toEqual([]);
    const read = (await second.get(`${CONSOLE}/proposals?openOnly=true`)).data.proposals;
    expect(read).toMatchObject([
      {
        ...made.data,
        kind: "operator.grant",
        mayDecide: true,
        mayWithdraw: false,
        beneficiaries: [{ user: expect.any(String) }],
      },
    ]);
    expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED", outcome: "granted" });
    expect(await roles()).toEqual(["support"]);
    const later = await proposeRole(second, "ria@example.com", "editor");
    const me = (await second.post("/v2/users/top-info")).data.id;
    expect((await first.post(`${CONSOLE}/revoke`, { user: me, role: "admin" })).status).toBe(200);
    expect((await approve(first, later)).code).toBe("PROPOSER_LOST_RIGHT");
    expect(await roles()).toEqual(["support"]);
    const log = (await first.get(`${CONSOLE}/audit`)).data;
    expect(log.tamperedAt).toBeNull();
    const actions = log.rows.map(({ action }: { action: string }) => action);
    for (const action of ["proposal.proposed", "proposal.approved", "proposal.executed"])
      expect(actions).toContain(action);
  } finally {
    await server.close();
  }
});

test("[OPS-1] a simulated second person decides within seconds, is labelled as such, and does not exist in production", async () => {
  const server = await startTestServer();
  try {
    const { operator } = await enterAsOperator(server);
    const ria = new Visitor(server);
    await ria.signUp("ria@example.com");
    await proposeRole(operator, "ria@example.com", "support");
    await expect
      .poll(async () => (await operator.get(`${CONSOLE}/proposals`)).data.proposals[0])
      .toMatchObject({ state: "EXECUTED", isSimulated: true, decidedBy: { user: "0", name: "Simulated reviewer" } });
    expect((await ria.get(`${CONSOLE}/me`)).data.roles).toEqual(["support"]);
  } finally {
    await server.close();
  }
});

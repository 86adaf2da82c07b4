// Identity verification over HTTP against a listening process: written, submitted, reviewed, encrypted at rest.
import { present } from "@clockwork/kit/assert";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forDatabase } from "../storage/test-databases.ts";
import { openPlace, type Place, Visitor } from "./account-fixture.ts";

const PATH = "/v2/users/kyc";
const PERSON = {
  firstName: "Jo",
  lastName: "Doe",
  birthDate: "1990-05-01",
  country: "DE",
  documentType: "passport",
  documentNumber: "C01X00T47",
};
const PICTURE = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("SECRET PICTURE".repeat(20_000))]);

for (const dialect of ["sqlite", "postgres"] as const) {
  forDatabase(dialect, "kyc", (database) => {
    let place: Place;
    let operator: Visitor;
    beforeAll(async () => {
      const url = database.options().url;
      place = await openPlace({
        ...(url === undefined ? {} : { DATABASE_URL: url }),
        CW_KYC_BLOCKED_COUNTRIES: "XX",
      });
      const [, email = "", password = ""] = /account (\S+), password (\S+) /.exec(place.announced[0] ?? "") ?? [];
      operator = new Visitor(place);
      await operator.signIn(email, password);
    });
    afterAll(() => place.close());

    const info = async (visitor: Visitor) => (await visitor.get(`${PATH}/base-info`)).data;
    const upload = (visitor: Visitor, kind: string, bytes = PICTURE) =>
      visitor.post(`${PATH}/upload`, { kind, mediaType: "image/png", data: bytes.toString("base64") });
    const decide = async (user: string, decision: string, reason = "") => {
      await operator.get(`${PATH}/review/one?user=${user}`);
      return operator.post(`${PATH}/review/decide`, { user, decision, reason });
    };

    test("[AUTH-11] NONE, DRAFT, SUBMITTED, REVIEW, MORE_INFO, REJECTED, APPROVED, level by level", async () => {
      const jo = new Visitor(place);
      const { id } = (await jo.signUp("jo@example.com")).data;
      expect(await info(jo)).toMatchObject({ level: 0, state: "NONE", target: 1, submissionsLeft: 5 });
      await jo.post(`${PATH}/draft`, { firstName: "Jo" });
      const early = await jo.post(`${PATH}/submit`);
      expect([early.status, early.code]).toEqual([400, "KYC_INCOMPLETE"]);
      await jo.post(`${PATH}/draft`, PERSON);
      expect(await info(jo)).toMatchObject({ state: "DRAFT", details: PERSON });
      expect((await jo.post(`${PATH}/submit`)).status).toBe(200);
      expect((await info(jo)).state).toBe("SUBMITTED");
      expect((await jo.post(`${PATH}/draft`, { firstName: "Joe" })).code).toBe("KYC_LOCKED");
      expect((await operator.get(`${PATH}/review/waiting`)).data.waiting).toMatchObject([{ user: id, target: 1 }]);
      expect((await operator.post(`${PATH}/review/decide`, { user: id, decision: "APPROVED" })).code).toBe(
        "KYC_UNKNOWN",
      );
      const seen = await operator.get(`${PATH}/review/one?user=${id}`);
      expect(seen.data.details).toEqual(PERSON);
      expect((await info(jo)).state).toBe("REVIEW");
      await decide(id, "MORE_INFO", "Write your name as in the passport.");
      expect(await info(jo)).toMatchObject({ state: "MORE_INFO", reason: "Write your name as in the passport." });
      await jo.post(`${PATH}/draft`, { firstName: "Johanna" });
      await jo.post(`${PATH}/submit`);
      await decide(id, "REJECTED", "Not legible.");
      await jo.post(`${PATH}/draft`, {});
      await jo.post(`${PATH}/submit`);
      await decide(id, "APPROVED");
      expect(await info(jo)).toMatchObject({ level: 1, state: "APPROVED", target: 2 });
      expect((await jo.post("/v2/users/top-info")).data.userInfo.kycLevel).toBe(1);
      expect((await jo.get("/v2/users/letters")).data.letters[0].kind).toBe("kyc-approved");

      await jo.post(`${PATH}/draft`, { documentExpires: "2040-01-01" });
      expect((await jo.post(`${PATH}/submit`)).code).toBe("KYC_INCOMPLETE");
      expect((await upload(jo, "document-front")).status).toBe(200);
      expect((await upload(jo, "selfie")).status).toBe(200);
      expect((await upload(jo, "selfie", Buffer.from("<html>no picture</html>"))).code).toBe("KYC_FILE_INVALID");
      expect((await jo.post(`${PATH}/submit`)).status).toBe(200);
      const file = await operator.get(`${PATH}/review/file?user=${id}&kind=selfie`);
      expect(Buffer.from(file.data.data, "base64").equals(PICTURE)).toBe(true);
      await decide(id, "APPROVED");
      expect(await info(jo)).toMatchObject({ level: 2, state: "APPROVED", target: 3 });
    });

    test("[AUTH-11] nothing of it stands readable in the database, and every look is written down", async () => {
      const kysely = present(place.kysely, "AUTH-11", "no database");
      const persons = await sql<{ sealed: Uint8Array }>`select sealed from kyc_person`.execute(kysely);
      const files = await sql<{ sealed: Uint8Array }>`select sealed from kyc_file`.execute(kysely);
      const bytes = Buffer.concat([...persons.rows, ...files.rows].map(({ sealed }) => sealed)).toString("latin1");
      expect(bytes.length).toBeGreaterThan(PICTURE.length);
      expect(bytes).not.toMatch(/C01X00T47|Johanna|SECRET PICTURE/);
      const views = await sql<{ viewer_id: number }>`select viewer_id from kyc_view`.execute(kysely);
      expect(views.rows).toHaveLength(1);
      const deeds = await sql<{ action: string }>`select action from operators_audit order by id`.execute(kysely);
      const actions = deeds.rows.map(({ action }) => action);
      expect(actions).toContain("kyc.viewed");
      expect(actions.filter((action) => action === "kyc.approved")).toHaveLength(2);
    });

    test("[AUTH-11] age, country, expiry, one document per person and five submissions a day are enforced", async () => {
      const eve = new Visitor(place);
      await eve.signUp("eve@example.com");
      const attempt = async (details: object) => {
        await eve.post(`${PATH}/draft`, { ...PERSON, documentNumber: "EVE1", ...details });
        return (await eve.post(`${PATH}/submit`)).code;
      };
      expect(await attempt({ birthDate: "2015-01-01" })).toBe("KYC_TOO_YOUNG");
      expect(await attempt({ country: "XX" })).toBe("KYC_COUNTRY_BLOCKED");
      expect(await attempt({ documentExpires: "2020-01-01" })).toBe("KYC_DOCUMENT_EXPIRED");
      await eve.post(`${PATH}/draft`, { documentExpires: "2040-01-01" });
      expect(await attempt({ documentNumber: "c01-x00 t47" })).toBe("KYC_DOCUMENT_USED");
      const { data } = await eve.post("/v2/users/top-info");
      for (let count = 0; count < 5; count += 1) {
        expect(await attempt({})).toBe(0);
        await decide(data.id, "REJECTED");
      }
      expect(await attempt({})).toBe("KYC_TOO_OFTEN");
      expect((await eve.get(`${PATH}/document-types?country=XX`)).data).toEqual({ isBlocked: true, types: [] });
    });

    test("[AUTH-11] only operators review", async () => {
      const eve = new Visitor(place);
      await eve.signUp("mallory@example.com");
      const refused = [
        await eve.get(`${PATH}/review/waiting`),
        await eve.get(`${PATH}/review/one?user=1`),
        await eve.get(`${PATH}/review/file?user=1&kind=selfie`),
        await eve.post(`${PATH}/review/decide`, { user: "1", decision: "APPROVED" }),
      ];
      expect(refused.map(({ status, code }) => [status, code])).toEqual(Array(4).fill([403, "FORBIDDEN"]));
      expect((await new Visitor(place).get(`${PATH}/base-info`)).status).toBe(401);
    });

    test("[AUTH-11] an approval ends with its document", async () => {
      place.wait(Date.UTC(2040, 0, 2) - place.nowMs());
      const jo = new Visitor(place);
      await jo.signIn("jo@example.com");
      expect(await info(jo)).toMatchObject({ level: 0, state: "EXPIRED", target: 1 });
      await jo.post(`${PATH}/draft`, {});
      expect((await jo.post(`${PATH}/submit`)).code).toBe("KYC_DOCUMENT_EXPIRED");
      await jo.post(`${PATH}/draft`, { documentExpires: "2050-01-01", documentNumber: "NEW1" });
      expect((await jo.post(`${PATH}/submit`)).status).toBe(200);
    });
  });
}

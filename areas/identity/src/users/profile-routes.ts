// REST of profiles: schema → service → envelope.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { Profile, ProfileBody, PublicProfile, PublicProfileQuery } from "./contract.ts";
import type { ProfileRefusal, ProfileService } from "./profile-service.ts";

const REFUSALS: Readonly<Record<ProfileRefusal, readonly [status: number, message: string]>> = {
  NICKNAME_INVALID: [400, "A name has 2 to 24 letters, digits, Chinese characters or plain punctuation."],
  INTRO_INVALID: [400, "An introduction has at most 300 characters and no hidden ones."],
  PROFILE_UNKNOWN: [404, "There is no such profile."],
};

function refuseProfile({ code }: { code: ProfileRefusal }) {
  const [status, message] = REFUSALS[code];
  return refuse({ code, status, message });
}

const PATH = "/v2/users/profile";

export function profileRoutes(profiles: ProfileService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: `${PATH}/public`,
      summary: "How somebody who wants to be seen appears to others",
      tag: "users",
      query: PublicProfileQuery,
      output: PublicProfile,
      handle: async ({ query }) => {
        const profile = await profiles.readPublic(Number(query.user));
        return profile.done ? answer(profile.value) : refuseProfile(profile);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/own`,
      summary: "Own profile, public or not",
      tag: "users",
      scope: "user",
      output: Profile,
      handle: async (_, { userId }) => {
        const profile = await profiles.read(Number(userId));
        return profile.done ? answer(profile.value) : refuseProfile(profile);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/update`,
      summary: "Changes the own profile; what is left out stays",
      tag: "users",
      scope: "user",
      body: ProfileBody,
      output: Profile,
      handle: async ({ body }, { userId, timeMs }) => {
        const profile = await profiles.save(Number(userId), body, timeMs);
        return profile.done ? answer(profile.value) : refuseProfile(profile);
      },
    }),
  ];
}

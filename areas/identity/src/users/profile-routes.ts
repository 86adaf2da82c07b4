// REST of profiles: schema → service → envelope.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { USER_CALLS } from "./contract.ts";
import type { ProfileService } from "./profile-service.ts";
import { PROFILE_REFUSALS } from "./refusals.ts";

export function profileRoutes(profiles: ProfileService): readonly RouteSpec[] {
  return [
    serve(USER_CALLS.publicProfile, {
      summary: "A public profile",
      tag: "users",
      handle: async ({ query }) => {
        const profile = await profiles.readPublic(Number(query.user));
        return profile.done ? answer(profile.value) : refuseBy(PROFILE_REFUSALS, profile);
      },
    }),
    serve(USER_CALLS.profile, {
      summary: "Own profile, public or not",
      tag: "users",
      scope: "user",
      handle: async (_, { userId }) => {
        const profile = await profiles.read(Number(userId));
        return profile.done ? answer(profile.value) : refuseBy(PROFILE_REFUSALS, profile);
      },
    }),
    serve(USER_CALLS.saveProfile, {
      summary: "Changes the own profile; what is left out stays",
      tag: "users",
      scope: "user",
      handle: async ({ body }, { userId, timeMs }) => {
        const profile = await profiles.save(Number(userId), body, timeMs);
        return profile.done ? answer(profile.value) : refuseBy(PROFILE_REFUSALS, profile);
      },
    }),
  ];
}

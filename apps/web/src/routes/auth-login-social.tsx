// Where another site sends its answer to; followed like any other sign-in.
import type { LoginAnswer } from "@clockwork/domains/sessions/api";
import { useLoginRoad } from "../features/sessions/login-actions.ts";
import { SocialReturn } from "../features/social/social-screens.tsx";

export default function AuthLoginSocial() {
  const { follow } = useLoginRoad();
  return <SocialReturn onFinished={(answer, carried) => follow("", answer as LoginAnswer, false, carried)} />;
}

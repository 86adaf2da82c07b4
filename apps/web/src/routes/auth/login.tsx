// A screen of accounts and sign-in; everything is in its feature.
import { ClassicLogin } from "../../features/sessions/classic-login.tsx";

export default function AuthClassicLogin() {
  return <ClassicLogin />;
}

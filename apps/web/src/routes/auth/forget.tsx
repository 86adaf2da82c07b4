// A screen of accounts and sign-in; everything is in its feature.
import { ForgetStart } from "../../features/users/forget-screens.tsx";

export default function AuthForget() {
  return <ForgetStart />;
}

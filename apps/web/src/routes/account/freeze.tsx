// A screen of accounts and sign-in; everything is in its feature.
import { FreezeByLink } from "../../features/security/freeze-screens.tsx";

export default function AccountFreezeByLink() {
  return <FreezeByLink />;
}

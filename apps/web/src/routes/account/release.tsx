// A screen of accounts and sign-in; everything is in its feature.
import { ReleaseAccount } from "../../features/security/freeze-screens.tsx";

export default function AccountReleaseAccount() {
  return <ReleaseAccount />;
}

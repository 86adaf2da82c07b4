// A screen of accounts and sign-in; everything is in its feature.
import { DeviceScreen } from "../../features/sessions/code-screens.tsx";

export default function AuthDeviceScreen() {
  return <DeviceScreen />;
}

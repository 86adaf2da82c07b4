// The bare frame: nothing but the page, for screens that are shown inside something else.
import { Outlet } from "react-router";

export default function EmptyLayout() {
  return <Outlet />;
}

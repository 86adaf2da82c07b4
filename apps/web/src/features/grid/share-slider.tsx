// How much of the free money goes in, by hand.
import { PERCENT_STOPS, Slider, type SliderProps } from "@clockwork/ui/slider";

export function ShareSlider(props: Pick<SliderProps, "label" | "value" | "onChange" | "isDisabled">) {
  return <Slider {...props} stops={PERCENT_STOPS} describe={(value) => `${value}%`} className="px-1" />;
}

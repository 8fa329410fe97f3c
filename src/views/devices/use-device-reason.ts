import { useText } from '#src/components/text.ts';

/** Why a device did not do what it was asked, from a task's `error`: words for what every device may answer, else what the device itself said. */
export function useDeviceReason(): (error: string) => string {
  const { t, has } = useText();
  return (error) => (has(`areas.devices.reasons.${error}`) ? t(`areas.devices.reasons.${error}`) : error);
}

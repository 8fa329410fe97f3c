import type { IdentifierType } from '#models/device-events.ts';

/** The sign of each type of identifier. */
export const identifierIcons: Readonly<Record<IdentifierType, `pi-${string}`>> = {
  card: 'pi-id-card',
  ukey: 'pi-key',
  ukey2: 'pi-mobile',
  access_code: 'pi-hashtag',
  url: 'pi-link',
  license_plate: 'pi-car',
  qr: 'pi-qrcode',
  face: 'pi-user',
};

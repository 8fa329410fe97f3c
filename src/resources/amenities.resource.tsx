import { amenities } from '#models/amenities.ts';
import { scopesOf } from '#models/permissions.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { SlotsCell } from './amenities/cells.tsx';
import { ImagePiece, TermsPiece } from './amenities/file-pieces.tsx';
import { SlotsField } from './amenities/slots-field.tsx';
import { defineResource } from './define-resource.ts';

const FeedDialog = lazyPart(() => import('./amenity-reservations/feed-dialog.tsx'));

export default defineResource({
  model: amenities,
  icon: 'pi-star',
  columns: [
    { key: 'name', width: '19%' },
    { key: 'domains', width: '13%' },
    { key: 'timeSlots', cell: SlotsCell, tall: true, width: '34%' },
    { key: 'is_active', sort: 'is_active', width: '11%' },
    { key: 'accessRules', width: '16%', givesWay: 'desk' },
    { key: 'address', extra: true },
    { key: 'description', extra: true },
    { key: 'updated_at', extra: true },
    { key: 'created_at', extra: true },
  ],
  filterAreas: { domains: 'groups', accessRules: 'access-rules' },
  form: [
    { section: 'general', fields: ['name', 'address', { key: 'description', wide: true }, { key: 'is_active', wide: true }] },
    { section: 'who', fields: [{ key: 'domains', wide: true }, 'numberOfPersons.min', 'numberOfPersons.max'] },
    { section: 'slots', fields: [{ key: 'timeSlots', widget: SlotsField, wide: true, reads: true }] },
    { section: 'access', fields: [{ key: 'accessRules', wide: true }] },
    { section: 'image', piece: ImagePiece },
    { section: 'terms', piece: TermsPiece },
  ],
  actions: [
    {
      key: 'calendar',
      icon: 'pi-calendar-plus',
      // The server gives the reservations of an amenity to those who see more than their own.
      show: (_row, profile) => scopesOf(actorOf(profile), 'view', 'amenity-reservations').some((scope) => scope !== 'own'),
      dialog: FeedDialog,
    },
  ],
  facts: ['time_zone_name'],
});

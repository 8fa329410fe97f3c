import { amenities } from '#models/amenities.ts';
import { SlotsCell } from './amenities/cells.tsx';
import { ImagePiece, TermsPiece } from './amenities/file-pieces.tsx';
import { SlotsField } from './amenities/slots-field.tsx';
import { defineResource } from './define-resource.ts';

export default defineResource({
  model: amenities,
  icon: 'pi-star',
  columns: [
    { key: 'name', width: '20%' },
    { key: 'domains', width: '18%' },
    { key: 'timeSlots', cell: SlotsCell, tall: true },
    { key: 'is_active', sort: 'is_active', width: '11%' },
    { key: 'accessRules', width: '18%', least: true },
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
  facts: ['time_zone_name'],
});

import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PlaceCell } from '#src/resources/device-alarms/cells.tsx';

it('the place of an alarm keeps its building, and the whole way stands in the tip', () => {
  render(<PlaceCell value={['Riverside', 'Tower A', 'Floor 4', '22']} row={{ id: '1', version: 1 }} />);
  expect(screen.getByText('Tower A · Floor 4 · 22').getAttribute('title')).toBe('Riverside · Tower A · Floor 4 · 22');
});

import { Link } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import { maySee, useEntry } from '#src/views/area/areas.tsx';
import { useProfile } from '#src/views/profile-of.ts';

/** The way to an area that has no menu entry of its own; nothing for those who may not see it. */
export function AreaLink({ area }: { area: string }) {
  const { t } = useText();
  const entry = useEntry(area);
  const profile = useProfile();
  if (!entry || !maySee(profile, area)) return null;
  return (
    <Link className="p-button p-component p-button-outlined tool-link" to={entry.path} title={t(`areas.${area}.title`)}>
      <i className={`pi ${entry.icon}`} aria-hidden="true" />
      <span className="p-button-label">{t(`areas.${area}.title`)}</span>
    </Link>
  );
}

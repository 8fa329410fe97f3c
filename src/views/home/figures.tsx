import { Link } from 'react-router-dom';
import type { HomeFigures } from '#models/home.ts';
import type { FilterItem } from '#models/query.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { PageLink } from '../shell/page-link.tsx';
import { figureLines } from './figure-lines.ts';
import { HomeCard, HomeFrame } from './home-card.tsx';
import { PassesChart, passesOfDay, passesSoFar } from './passes-chart.tsx';
import type { Figures } from './use-figures.ts';
import { firstRows, listAddress } from './use-rows.ts';

interface FigureProps {
  figures: Figures<HomeFigures>;
}

function Passes({ figures: { answer, problem, reload } }: FigureProps) {
  const { t } = useText();
  const passes = answer?.passes;
  const none = passes?.every((one) => one.passes === 0 && one.usual === 0);
  return (
    <HomeFrame
      title={t('home.passes.title')}
      icon="pi-chart-bar"
      lines={figureLines}
      foot={
        <Link to={passes ? passesOfDay(passes) : '/devices/events'}>
          {passes && t('home.passes.summary', passesSoFar(passes, Date.parse(answer.as_of)))}
        </Link>
      }
      footShown={passes !== undefined && !none}
    >
      {problem ? (
        <Failure problem={problem} onRetry={reload} />
      ) : !passes ? (
        <SkeletonLines lines={figureLines} label={t('interface.loading')} />
      ) : none ? (
        <EmptyState icon="pi-chart-bar" text={t('home.passes.empty')} />
      ) : (
        <PassesChart passes={passes} at={answer.as_of} />
      )}
    </HomeFrame>
  );
}

const deniedSince = (since: string, ...more: FilterItem[]): string =>
  listAddress(
    '/devices/events',
    firstRows(
      20,
      [{ field: 'type', rule: 'equals', value: 'access_denied' }, ...more, { field: 'occurred_at', rule: 'equals_above', value: since }],
      ['-occurred_at'],
    ),
  );

function Refusals({ figures: { answer, problem, reload } }: FigureProps) {
  const { t, locale } = useText();
  const { since = '', reasons = [] } = answer?.refusals ?? {};
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  const rows = reasons.slice(0, figureLines).map((one) => ({ id: one.reason, ...one }));
  return (
    <HomeCard
      title={t('home.refusals.title')}
      icon="pi-ban"
      answer={{ loading: !answer, rows, problem, reload }}
      empty={t('home.refusals.empty')}
      emptyIcon="pi-check-circle"
      lines={figureLines}
      foot={<Link to={deniedSince(since)}>{t('home.refusals.all', { count: total })}</Link>}
    >
      {({ reason, count }) => (
        <Link to={deniedSince(since, { field: 'reason', rule: 'equals', value: reason })} className="home-bar">
          <span className="home-bar-name">{t(`areas.device-events.options.reason.${reason}`)}</span>
          <span className="home-bar-line" aria-hidden="true">
            <span style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <span className="home-bar-count">{count.toLocaleString(locale)}</span>
        </Link>
      )}
    </HomeCard>
  );
}

function Availability({ figures: { answer, problem, reload } }: FigureProps) {
  const { t, locale } = useText();
  const { devices = 0, share: whole = 1, worst = [] } = answer?.availability ?? {};
  // A minute in a week is no hundred per cent.
  const percent = (share: number): string =>
    new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, roundingMode: 'floor' } as Intl.NumberFormatOptions).format(share);
  const rows = worst.map(({ device, share }) => ({ ...device, share }));
  return (
    <HomeCard
      title={t('home.availability.title')}
      icon="pi-wifi"
      answer={{ loading: !answer, rows, problem, reload }}
      empty={t(devices > 0 ? 'home.availability.always' : 'home.availability.empty')}
      emptyIcon="pi-check-circle"
      lines={figureLines}
      foot={
        <Link to="/devices">
          {t('home.availability.whole', { share: percent(whole) })} · {t('home.availability.devices', { count: devices })}
        </Link>
      }
    >
      {({ id, name, share }) => (
        <PageLink to={`/devices/${id}`} className="home-bar">
          <span className="home-bar-name">{name}</span>
          <span className="home-bar-line home-bar-share" aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
          <span className="home-bar-count">{percent(share)}</span>
        </PageLink>
      )}
    </HomeCard>
  );
}

/** The trends, once the page itself stands. */
export default function TrendFigures({ which, figures }: FigureProps & { which: 'passes' | 'refusals' | 'availability' }) {
  if (which === 'passes') return <Passes figures={figures} />;
  return which === 'refusals' ? <Refusals figures={figures} /> : <Availability figures={figures} />;
}

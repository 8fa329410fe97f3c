import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
const t=(n:string,s:number)=>console.log(n,(performance.now()-s).toFixed(0));
let s=performance.now(); const a=new PGlite({extensions:{pg_trgm}}); await a.waitReady; t('fresh',s);
s=performance.now(); const d=await a.dumpDataDir('none'); t('dump',s); console.log(d.size);
s=performance.now(); const b=new PGlite({extensions:{pg_trgm}, loadDataDir:d}); await b.waitReady; t('load',s);
s=performance.now(); const c=new PGlite({extensions:{pg_trgm}, loadDataDir:d}); await c.waitReady; t('load2',s);
s=performance.now(); const e=new PGlite({extensions:{pg_trgm}}); await e.waitReady; t('fresh2',s);

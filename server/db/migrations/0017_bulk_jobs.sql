CREATE TABLE "job_rows" (
	"job_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"row_id" uuid NOT NULL,
	"name" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"problem" jsonb,
	"was" jsonb,
	"becomes" jsonb,
	CONSTRAINT "job_rows_job_id_place_pk" PRIMARY KEY("job_id","place")
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "area" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "bulk" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "undone_by" uuid;--> statement-breakpoint
ALTER TABLE "job_rows" ADD CONSTRAINT "job_rows_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;
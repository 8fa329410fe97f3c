CREATE COLLATION IF NOT EXISTS "numeric_order" (provider = icu, locale = 'und@colNumeric=yes');--> statement-breakpoint
DROP INDEX "groups_name";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sign_in_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
CREATE INDEX "sessions_sign_in" ON "sessions" USING btree ("sign_in_id");--> statement-breakpoint
CREATE INDEX "groups_name" ON "groups" USING btree ("project_id","name" collate "numeric_order","id");
CREATE TABLE "integration_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "integration_deliveries_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"integration_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"event" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"status" integer,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "integration_groups" (
	"integration_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	CONSTRAINT "integration_groups_integration_id_group_id_pk" PRIMARY KEY("integration_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"domain_id" uuid,
	"url" text NOT NULL,
	"secret_cipher" text,
	"device_events" boolean DEFAULT false NOT NULL,
	"alarms" boolean DEFAULT false NOT NULL,
	"calls" boolean DEFAULT false NOT NULL,
	"access" boolean DEFAULT false NOT NULL,
	"login" text,
	"password_cipher" text,
	"rtsp_url" text,
	"cameras" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"certificate_cipher" text,
	"certificate_info" jsonb,
	"failing_since" timestamp (3) with time zone,
	"stopped_at" timestamp (3) with time zone,
	"last_error" text
);
--> statement-breakpoint
ALTER TABLE "integration_deliveries" ADD CONSTRAINT "integration_deliveries_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_groups" ADD CONSTRAINT "integration_groups_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_groups" ADD CONSTRAINT "integration_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_domain_id_groups_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "integration_deliveries_waiting" ON "integration_deliveries" USING btree ("integration_id","position") WHERE "integration_deliveries"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "integration_deliveries_log" ON "integration_deliveries" USING btree ("integration_id","position");--> statement-breakpoint
CREATE INDEX "integration_deliveries_delivered" ON "integration_deliveries" USING btree ("delivered_at");--> statement-breakpoint
CREATE INDEX "integration_groups_group" ON "integration_groups" USING btree ("group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_name" ON "integrations" USING btree ("project_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_url" ON "integrations" USING btree ("project_id","type","url");--> statement-breakpoint
CREATE INDEX "integrations_domain" ON "integrations" USING btree ("domain_id");
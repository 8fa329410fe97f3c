CREATE TABLE "emergency_alert_groups" (
	"alert_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	CONSTRAINT "emergency_alert_groups_alert_id_group_id_pk" PRIMARY KEY("alert_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "emergency_alert_recipients" (
	"alert_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"seen_at" timestamp (3) with time zone,
	"safe_at" timestamp (3) with time zone,
	CONSTRAINT "emergency_alert_recipients_alert_id_user_id_pk" PRIMARY KEY("alert_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "emergency_alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"message" text NOT NULL,
	"device_type" text DEFAULT 'monitor' NOT NULL,
	"playback_duration" integer DEFAULT 60 NOT NULL,
	"open_locks" boolean DEFAULT false NOT NULL,
	"sound_file" uuid,
	"filename" text,
	"status" text DEFAULT 'new' NOT NULL,
	"is_drill" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "emergency_alert_groups" ADD CONSTRAINT "emergency_alert_groups_alert_id_emergency_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."emergency_alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_alert_groups" ADD CONSTRAINT "emergency_alert_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_alert_recipients" ADD CONSTRAINT "emergency_alert_recipients_alert_id_emergency_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."emergency_alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_alert_recipients" ADD CONSTRAINT "emergency_alert_recipients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_alerts" ADD CONSTRAINT "emergency_alerts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "emergency_alert_groups_back" ON "emergency_alert_groups" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "emergency_alert_recipients_back" ON "emergency_alert_recipients" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "emergency_alerts_project" ON "emergency_alerts" USING btree ("project_id","name");